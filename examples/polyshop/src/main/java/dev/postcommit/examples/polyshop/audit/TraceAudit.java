package dev.postcommit.examples.polyshop.audit;

import dev.postcommit.examples.polyshop.audit.Snapshot.Payment;
import dev.postcommit.examples.polyshop.events.Topics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** From the customer's request to the receipt, an order is one trace. */
record TraceAudit(Plan plan, Snapshot snapshot) {

  void run(List<String> findings) {
    Map<UUID, PlacedOrder> orders = new HashMap<>();
    plan.orders().forEach(order -> orders.put(order.orderId(), order));
    Set<UUID> keyed = new HashSet<>();
    for (ShopEvent event : snapshot.events()) {
      UUID orderId = event.orderId();
      PlacedOrder order = orderId == null ? null : orders.get(orderId);
      if (order != null) {
        check(order, event, findings);
        if (event.topic().equals(Topics.ORDER_PLACED)
            && order
                .idempotencyKey()
                .equals(event.body().path("metadata").path("idempotencyKey").asText())) {
          keyed.add(order.orderId());
        }
      }
    }
    for (PlacedOrder order : plan.orders()) {
      if (!keyed.contains(order.orderId())) {
        findings.add("order %s lacks its idempotency key".formatted(order.orderId()));
      }
    }
    if (plan.notification()) {
      checkEmails(findings);
    }
  }

  private static void check(PlacedOrder order, ShopEvent event, List<String> findings) {
    if (!event.traceId().equals(order.traceId())
        || !event.correlationId().equals(order.correlationId())) {
      findings.add(
          "%s %s of order %s is of trace %s and correlation %s, not %s and %s"
              .formatted(
                  event.topic(),
                  event.eventId(),
                  order.orderId(),
                  event.traceId(),
                  event.correlationId(),
                  order.traceId(),
                  order.correlationId()));
    }
  }

  /** A confirmation for each order, a receipt for each payment, a welcome for each user. */
  private void checkEmails(List<String> findings) {
    Map<String, Set<String>> events = new HashMap<>();
    Map<String, Set<String>> templates = new HashMap<>();
    for (ShopEvent event : snapshot.events()) {
      if (event.topic().equals(Topics.EMAIL_SENT)) {
        events.computeIfAbsent(event.traceId(), t -> new HashSet<>()).add(event.eventId());
        templates
            .computeIfAbsent(event.traceId(), t -> new HashSet<>())
            .add(event.body().path("data").path("template").asText());
      }
    }
    for (PlacedOrder order : plan.orders()) {
      int expected = 1 + receipts(order);
      int sent = events.getOrDefault(order.traceId(), Set.of()).size();
      int different = templates.getOrDefault(order.traceId(), Set.of()).size();
      if (sent != expected || different != expected) {
        findings.add(
            "order %s (%s) has %d e-mails of %d kinds, not %d"
                .formatted(order.orderId(), order.kind(), sent, different, expected));
      }
    }
    long emails = plan.users() + plan.orders().size() + charged().count();
    if (snapshot.emails().size() != emails) {
      findings.add("%d e-mails are in the log, not %d".formatted(snapshot.emails().size(), emails));
    }
    for (PlacedOrder order : plan.orders()) {
      if (snapshot.emails().stream().noneMatch(email -> email.contains(order.traceId()))) {
        findings.add("no e-mail in the log is of the trace of order " + order.orderId());
      }
    }
  }

  private Stream<Payment> charged() {
    return snapshot.payments().stream().filter(payment -> payment.status().equals("SUCCESS"));
  }

  private int receipts(PlacedOrder order) {
    return (int) charged().filter(payment -> payment.orderId().equals(order.orderId())).count();
  }
}
