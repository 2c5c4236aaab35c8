package dev.postcommit.micrometer;

import dev.postcommit.consumer.deadletter.DeadLetter;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.consumer.message.ReceivedMessage;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Delivery;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.StoredEvent;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.postgresql.ds.PGSimpleDataSource;

/** Every metric there is, and what the scrape of a process shows that has them. */
final class Everything {
  static final Layout LAYOUT = Layout.nativeTable();

  private Everything() {}

  static PrometheusMeterRegistry registry() {
    return PrometheusScrape.newRegistry().throwExceptionOnRegistrationFailure();
  }

  /** A scrape after each thing has happened once to the topic {@code orders}. */
  static Scraped scraped() {
    PrometheusMeterRegistry registry = registry();
    happen(RelayMetrics.of(registry, LAYOUT));
    // Not started, so it never asks for a connection.
    TableMetrics.of(registry, LAYOUT, OutboxAdmin.of(new PGSimpleDataSource(), LAYOUT));
    ConsumerMetrics consumer = ConsumerMetrics.of(registry, "stock");
    consumer.watch(List::of);
    happen(consumer);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    try (JvmGcMetrics gc = new JvmGcMetrics()) {
      gc.bindTo(registry);
    }
    return Scraped.of(registry);
  }

  static void happen(RelayMetrics metrics) {
    StoredEvent event = event("orders", Instant.now());
    Duration moment = Duration.ofMillis(3);
    metrics.polled(0);
    metrics.polled(1);
    metrics.claimed(1, moment);
    metrics.answered(event, Delivery.DELIVERED, moment);
    metrics.answered(event, new Delivery.Retryable("busy", null), moment);
    metrics.answered(event, new Delivery.Rejected("too large", null), moment);
    metrics.answered(event, new Delivery.Unavailable("gone", null), moment);
    metrics.answered(event, Delivery.HELD_BACK, moment);
    metrics.answered(event, new Delivery.Deferred("no leader", null), moment);
    metrics.answered(event, new Delivery.TopicUnavailable("no such topic", null), moment);
    metrics.deferred(event, "no leader", moment);
    metrics.retrying(event, "busy", moment);
    metrics.violation(event, "unknown type");
    metrics.dead(event, "too large");
    metrics.settled(1, moment);
    metrics.leaseLost(1);
    metrics.brokerUnavailable("gone");
    metrics.brokerRecovered(moment);
    metrics.databaseUnavailable("gone");
    metrics.databaseRecovered(moment);
    metrics.replicated(1, moment);
    metrics.standbysUnavailable("not connected");
    metrics.standbysRecovered(moment);
    metrics.topicUnavailable("orders", "no such topic");
    metrics.topicRecovered("orders", moment);
    metrics.pruneFailed("permission denied");
    metrics.pruned(1);
    metrics.paused("maintenance");
    metrics.resumed();
  }

  static void happen(ConsumerMetrics metrics) {
    ReceivedMessage message =
        new ReceivedMessage("orders", "1", Map.of(), "{}".getBytes(StandardCharsets.UTF_8));
    ReceivedEvent<String> event =
        new ReceivedEvent<>(
            "1", "order.placed", null, null, Instant.now(), null, null, Map.of(), "{}", message);
    Duration moment = Duration.ofMillis(3);
    metrics.handling(event, 1).ended(null);
    metrics.retrying(event, 1, "busy", moment);
    metrics.processed(event, moment);
    metrics.duplicate(event);
    metrics.ignored(event);
    metrics.dead(
        new DeadLetter("1", "order.placed", message, "no", "E", 1, Instant.now(), "stock"));
    metrics.inboxUnavailable("gone");
    metrics.inboxRecovered(moment);
  }

  static StoredEvent event(String topic, Instant createdAt) {
    return new StoredEvent(
        "1",
        "",
        topic,
        null,
        null,
        "order.placed",
        null,
        null,
        null,
        1,
        Map.of(),
        new byte[0],
        createdAt,
        1,
        null);
  }
}
