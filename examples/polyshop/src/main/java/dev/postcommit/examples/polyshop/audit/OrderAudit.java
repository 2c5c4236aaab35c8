package dev.postcommit.examples.polyshop.audit;

import dev.postcommit.examples.polyshop.audit.PlacedOrder.Kind;
import dev.postcommit.examples.polyshop.audit.Snapshot.Level;
import dev.postcommit.examples.polyshop.audit.Snapshot.Payment;
import dev.postcommit.examples.polyshop.audit.Snapshot.Reservation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Orders, stock, reservations and payments: each effect is there once. */
record OrderAudit(Plan plan, Snapshot snapshot) {

  void run(List<String> findings) {
    Set<UUID> known = new HashSet<>();
    plan.orders().forEach(order -> known.add(order.orderId()));
    if (!known.equals(snapshot.orders().keySet()) || known.size() != plan.orders().size()) {
      findings.add(
          "%d orders were placed, and there are %d"
              .formatted(plan.orders().size(), snapshot.orders().size()));
    }
    plan.orders().forEach(order -> check(order, findings));
    checkStock(findings);
    if (snapshot.indexed() != plan.stock().size()) {
      findings.add(
          "%d products were added, and %d are indexed"
              .formatted(plan.stock().size(), snapshot.indexed()));
    }
  }

  private void check(PlacedOrder order, List<String> findings) {
    String status = snapshot.orders().getOrDefault(order.orderId(), "missing");
    if (!status.equals(expectedStatus(order.kind()))) {
      findings.add(
          "order %s is %s, not %s"
              .formatted(order.orderId(), status, expectedStatus(order.kind())));
    }
    Map<UUID, Integer> reserved = new HashMap<>();
    for (Reservation reservation : reservations(order)) {
      if (reserved.putIfAbsent(reservation.productId(), reservation.quantity()) != null) {
        findings.add("order %s has two reservations of one product".formatted(order.orderId()));
      }
      if (!reservation.status().equals(expectedReservation(order.kind()))) {
        findings.add(
            "a reservation of order %s (%s) is %s"
                .formatted(order.orderId(), order.kind(), reservation.status()));
      }
    }
    // What is cancelled early enough was never reserved.
    boolean mayBeNone = order.kind() != Kind.BOUGHT;
    if (!reserved.equals(order.items()) && !(mayBeNone && reserved.isEmpty())) {
      findings.add("what is reserved for order %s is not what it is of".formatted(order.orderId()));
    }
    checkPayments(order, findings);
  }

  private void checkPayments(PlacedOrder order, List<String> findings) {
    if (!plan.payment()) {
      return;
    }
    List<Payment> payments =
        snapshot.payments().stream()
            .filter(payment -> payment.orderId().equals(order.orderId()))
            .toList();
    if (payments.size() != 1) {
      findings.add("order %s has %d payments".formatted(order.orderId(), payments.size()));
    }
    for (Payment payment : payments) {
      if (!expectedPayments(order.kind()).contains(payment.status())) {
        findings.add(
            "the payment of order %s (%s) is %s"
                .formatted(order.orderId(), order.kind(), payment.status()));
      }
    }
  }

  /** Payment and cancellation may cross: what was charged too late is to be refunded. */
  private static Set<String> expectedPayments(Kind kind) {
    return switch (kind) {
      case BOUGHT -> Set.of("SUCCESS");
      case CANCELLED -> Set.of("FAILED", "SUCCESS");
      case UNKNOWN_PRODUCT -> Set.of("INITIATED");
    };
  }

  private List<Reservation> reservations(PlacedOrder order) {
    return snapshot.reservations().stream()
        .filter(reservation -> reservation.orderId().equals(order.orderId()))
        .toList();
  }

  private void checkStock(List<String> findings) {
    Map<UUID, Integer> sold = new HashMap<>();
    for (PlacedOrder order : plan.orders(Kind.BOUGHT)) {
      order.items().forEach((product, quantity) -> sold.merge(product, quantity, Integer::sum));
    }
    plan.stock()
        .forEach(
            (product, initial) -> {
              int gone = sold.getOrDefault(product, 0);
              Level expected = new Level(initial - gone, plan.payment() ? 0 : gone);
              Level level = snapshot.stock().get(product);
              if (!expected.equals(level)) {
                findings.add(
                    "of product %s there is %s, not %s".formatted(product, level, expected));
              }
            });
  }

  private String expectedStatus(Kind kind) {
    return switch (kind) {
      case BOUGHT -> plan.payment() ? "PAID" : "PENDING_PAYMENT";
      case CANCELLED -> "CANCELLED";
      case UNKNOWN_PRODUCT -> "CREATED";
    };
  }

  private String expectedReservation(Kind kind) {
    return switch (kind) {
      case BOUGHT -> plan.payment() ? "CONFIRMED" : "RESERVED";
      case CANCELLED -> "RELEASED";
      case UNKNOWN_PRODUCT -> "none";
    };
  }
}
