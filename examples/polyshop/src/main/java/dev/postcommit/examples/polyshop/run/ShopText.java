package dev.postcommit.examples.polyshop.run;

import dev.postcommit.examples.polyshop.audit.PlacedOrder;
import dev.postcommit.examples.polyshop.audit.PlacedOrder.Kind;
import dev.postcommit.examples.polyshop.audit.Plan;
import dev.postcommit.examples.polyshop.audit.ShopEvent;
import dev.postcommit.examples.polyshop.audit.Snapshot;
import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What a run says. */
final class ShopText {
  private static final int MOST_FINDINGS = 15;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

  private ShopText() {}

  static void introduce(PrintStream out, Options options) {
    out.printf(
        "PolyShop: %d services, each a process with a database and an outbox or inbox of its own,"
            + " and one Kafka%n",
        options.services().size());
    Stream.of(Service.PAYMENT, Service.NOTIFICATION)
        .filter(service -> !options.has(service))
        .forEach(
            service ->
                out.printf(
                    "%s is left out; examples/polyshop/run brings it%n", service.serviceName()));
  }

  /** The way of one order through topics and services. */
  static void showPath(PrintStream out, Plan plan, Snapshot snapshot) {
    List<PlacedOrder> bought = plan.orders(Kind.BOUGHT);
    if (bought.isEmpty()) {
      return;
    }
    PlacedOrder order = bought.get(bought.size() / 2);
    out.printf("%nThe path of order %s, trace %s:%n", order.orderId(), order.traceId());
    Set<String> seen = new HashSet<>();
    snapshot.events().stream()
        .filter(event -> event.traceId().equals(order.traceId()) && seen.add(event.eventId()))
        .sorted(Comparator.comparing(ShopText::time))
        .forEach(
            event ->
                out.printf(
                    "  %s  %-29s %-21s event %s  trace %s%n",
                    TIME.format(time(event)),
                    event.topic(),
                    event.text("source"),
                    event.eventId(),
                    event.traceId()));
  }

  private static Instant time(ShopEvent event) {
    return Instant.parse(event.text("timestamp"));
  }

  static void verified(PrintStream out, Plan plan, Snapshot snapshot, Options options) {
    Set<String> events = new HashSet<>();
    snapshot.events().forEach(event -> events.add(event.eventId()));
    List<String> facts = new ArrayList<>();
    facts.add(
        "%d orders (%d %s, %d cancelled, %d dead-lettered)"
            .formatted(
                plan.orders().size(),
                plan.orders(Kind.BOUGHT).size(),
                plan.payment() ? "paid" : "reserved",
                plan.orders(Kind.CANCELLED).size(),
                plan.orders(Kind.UNKNOWN_PRODUCT).size()));
    facts.add(
        "%d events delivered in order, %d duplicates without effect"
            .formatted(events.size(), snapshot.events().size() - events.size()));
    facts.add(
        plan.payment()
            ? "stock is what was not sold, one reservation and one payment per order"
            : "stock is what was not reserved, one reservation per order");
    if (plan.notification()) {
      facts.add("one confirmation per order and one receipt per payment");
    }
    facts.add("one trace per order");
    if (!options.victims().isEmpty()) {
      facts.add(options.victims().size() + " killed");
    }
    List<String> missing =
        Stream.of(Service.PAYMENT, Service.NOTIFICATION)
            .filter(service -> !options.has(service))
            .map(Service::serviceName)
            .toList();
    if (!missing.isEmpty()) {
      out.printf("%nnot checked, because it did not run: %s%n", String.join(", ", missing));
    }
    out.printf("%nverified: %s%n", String.join("; ", facts));
  }

  static void failed(PrintStream out, List<String> findings) {
    findings.stream().limit(MOST_FINDINGS).forEach(finding -> out.println("  " + finding));
    out.printf("FAILED: %d findings, the first of which are above%n", findings.size());
  }
}
