package dev.postcommit.examples.logistik;

import dev.postcommit.testkit.kafka.KafkaServer;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationContext;
import org.springframework.dao.DataIntegrityViolationException;

/** What happens in the example, and whether it is as it should be. */
final class Story {

  /** Something is not as it should be. */
  static final class Untrue extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Untrue(String message) {
      super(message);
    }
  }

  private static final int BEFORE = 20;
  private static final int DURING = 10;
  private static final int ARCHIVED = 1;
  private static final int LARGEST = 5_000;

  private final OrdersServiceV2 orders;
  private final HealthIndicator health;
  private final Findings findings;
  private final KafkaServer kafka;
  private final PrintStream out;
  private final List<UUID> committed = new ArrayList<>();

  Story(ApplicationContext application, KafkaServer kafka, PrintStream out) {
    this.orders = application.getBean(OrdersServiceV2.class);
    this.health = application.getBean("postcommitHealthIndicator", HealthIndicator.class);
    this.findings = new Findings(application, kafka);
    this.kafka = kafka;
    this.out = out;
  }

  /** Lets it all happen. */
  void tell() {
    placeOrders(BEFORE);
    rollBack();
    archive();
    breakBroker();
    say("the metrics:");
    findings.await("no event is pending", () -> findings.figure("outbox_pending_count") == 0);
    findings.fourMetrics().forEach(line -> out.println("    " + line));
    verify();
  }

  private void placeOrders(int count) {
    for (int i = 0; i < count; i++) {
      committed.add(orders.place(UUID.randomUUID(), "customer \"" + i + "\"", 100 + i));
    }
    say(count + " orders placed, each with its event in one transaction");
  }

  private void rollBack() {
    try {
      UUID unexpected = orders.place(UUID.randomUUID(), "nobody", 0);
      throw new Untrue("an order without a total was taken, with event " + unexpected);
    } catch (DataIntegrityViolationException e) {
      say("1 order refused by the database: its transaction and its event are rolled back");
    }
  }

  /** To a topic that nobody has made yet, and then with more than the topic takes. */
  private void archive() {
    UUID waiting = orders.archive(UUID.randomUUID(), "paid");
    findings.await("the event waits", () -> findings.status(waiting).contains("does not exist"));
    say("1 event to a topic that does not exist: " + findings.status(waiting));
    kafka.createTopic(
        OrdersServiceV2.ARCHIVED, 1, Map.of("max.message.bytes", Integer.toString(LARGEST)));
    findings.await("it is published", () -> findings.status(waiting).startsWith("PUBLISHED"));
    say("the topic is made: the event is published, with no attempt lost");

    UUID large = orders.archive(UUID.randomUUID(), "x".repeat(2 * LARGEST));
    findings.await("the event is FAILED", () -> findings.status(large).startsWith("FAILED"));
    say("1 event too large for its topic: " + findings.status(large));
  }

  private void breakBroker() {
    findings.await("all is published", () -> findings.published() == BEFORE + ARCHIVED);
    kafka.kill();
    say("Kafka is killed; orders are placed all the same");
    placeOrders(DURING);
    findings.await(
        "the backlog shows in metrics and health",
        () -> findings.figure("outbox_pending_count") == DURING && health().equals(Status.DOWN));
    say("outbox_pending_count is %d, health is %s".formatted(DURING, health()));
    kafka.restart();
    findings.await("all is published", () -> findings.published() == committed.size() + ARCHIVED);
    say("Kafka is back: the backlog is delivered");
  }

  private Status health() {
    return Objects.requireNonNull(health.health()).getStatus();
  }

  private void verify() {
    int messages = findings.verify(committed);
    out.printf(
        "verified: %d orders committed, %d events in Kafka by their messageId, 0 lost, 0 of the"
            + " order that was rolled back, %d sent again, 1 FAILED (expected 1)%n",
        committed.size(), committed.size(), messages - committed.size());
  }

  private void say(String line) {
    out.println("  " + line);
  }
}
