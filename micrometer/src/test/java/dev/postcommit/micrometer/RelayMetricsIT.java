package dev.postcommit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Relay;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.LayoutSample;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R49: what is scraped of a relay at work is what happened. */
@SuppressWarnings("try") // a relay works without being spoken to
class RelayMetricsIT extends LayoutFixture {
  private static final int MAX_TRIES = 3;
  private static final RetryPolicy QUICK =
      new RetryPolicy(MAX_TRIES, Duration.ofMillis(10), Duration.ofMillis(20));

  private final AtomicInteger flakyAnswers = new AtomicInteger();
  private final Answers broker = new Answers(this::answer);

  RelayMetricsIT() {
    super(
        new LayoutSample(
            Layout.nativeTable(),
            key -> Event.builder("happened").key(key),
            tenant -> Event.builder("happened").tenant(tenant).json("1").build()));
  }

  private Delivery answer(Message message) {
    return switch (message.topic()) {
      case "refused" -> new Delivery.Rejected("too large", null);
      case "hopeless" -> new Delivery.Retryable("busy", null);
      case "flaky" ->
          flakyAnswers.incrementAndGet() < MAX_TRIES
              ? new Delivery.Retryable("busy", null)
              : Delivery.DELIVERED;
      default -> Delivery.DELIVERED;
    };
  }

  private Relay relay(RelayMetrics metrics) {
    Relay relay =
        Relay.builder(dataSource(), broker)
            .lease(Duration.ofSeconds(5))
            .pollInterval(Duration.ofMillis(20))
            .retryPolicy(QUICK)
            .check(
                event ->
                    event.topic().equals("unfit") ? Optional.of("unknown type") : Optional.empty())
            .listener(metrics)
            .build();
    relay.start();
    return relay;
  }

  private void write(String topic, int count) {
    for (int i = 0; i < count; i++) {
      enqueue(event(topic + i).topic(topic).json("{}").build());
    }
  }

  @Test
  @DisplayName("R49: delivered, failed and dead events are counted by topic as they happened")
  void theFiguresAreWhatHappened() {
    PrometheusMeterRegistry registry = Everything.registry();
    Instant before = Instant.now();
    write("orders", 7);
    write("flaky", 1);
    write("refused", 2);
    write("hopeless", 1);
    write("unfit", 1);

    try (RelayMetrics metrics = RelayMetrics.of(registry, layout());
        Relay relay = relay(metrics)) {
      awaitUntil(() -> admin().status().pending() == 0);
      awaitUntil(() -> Scraped.of(registry).sum("outbox_idle_polls_total") > 0);
    }
    double elapsed = Duration.between(before, Instant.now()).toMillis() / 1000.0;
    Scraped scraped = Scraped.of(registry);

    assertThat(scraped.sum("outbox_process_latency_count", "topic", "orders")).isEqualTo(7);
    assertThat(scraped.sum("outbox_process_latency_count", "topic", "flaky")).isEqualTo(1);
    assertThat(scraped.sum("outbox_process_latency_count")).isEqualTo(8);
    assertThat(scraped.sum("outbox_process_latency_sum", "topic", "orders"))
        .isGreaterThan(0)
        .isLessThan(7 * elapsed);
    assertThat(failures(scraped, "orders")).isZero();
    assertThat(failures(scraped, "flaky")).isEqualTo(2);
    assertThat(failures(scraped, "refused")).isEqualTo(2);
    assertThat(failures(scraped, "hopeless")).isEqualTo(3);
    assertThat(failures(scraped, "unfit")).isEqualTo(1);
    assertThat(scraped.sum("outbox_failure_count")).isEqualTo(8);
    assertThat(scraped.sum("outbox_dead_events_total")).isEqualTo(4);
    assertThat(admin().status().dead()).isEqualTo(4);
    assertThat(scraped.sum("outbox_violations_total", "topic", "unfit")).isEqualTo(1);
    assertThat(scraped.sum("outbox_violations_total")).isEqualTo(1);
    assertThat(scraped.sum("outbox_attempts_total", "outcome", "delivered")).isEqualTo(8);
    assertThat(scraped.sum("outbox_attempts_total", "outcome", "retryable")).isEqualTo(5);
    assertThat(scraped.sum("outbox_attempts_total", "outcome", "rejected")).isEqualTo(2);
    assertThat(scraped.sum("outbox_publish_seconds_count")).isEqualTo(15);
    assertThat(scraped.sum("outbox_claimed_events_total")).isEqualTo(16);
    assertThat(scraped.sum("outbox_settled_events_total")).isEqualTo(16);
    assertThat(scraped.sum("outbox_claim_seconds_count"))
        .isEqualTo(scraped.sum("outbox_settle_seconds_count"))
        .isEqualTo(scraped.sum("outbox_polls_total") - scraped.sum("outbox_idle_polls_total"));
    assertThat(scraped.samples()).noneMatch(sample -> sample.value() < 0);
  }

  private static double failures(Scraped scraped, String topic) {
    return scraped.sum("outbox_failure_count", "topic", topic);
  }

  @Test
  @DisplayName("R49, R37: an outage of the broker shows, and is no failure of any event")
  void anOutageOfTheBrokerShows() {
    PrometheusMeterRegistry registry = Everything.registry();
    try (RelayMetrics metrics = RelayMetrics.of(registry, layout());
        Relay relay = relay(metrics)) {
      awaitUntil(() -> Scraped.of(registry).sum("outbox_polls_total") > 0);
      broker.down(true);
      write("orders", 3);
      awaitUntil(() -> Scraped.of(registry).sum("outbox_broker_available") == 0);
      awaitUntil(() -> Scraped.of(registry).sum("outbox_broker_outage_seconds") > 0.1);
      broker.down(false);
      awaitUntil(() -> admin().status().pending() == 0);
      // A late answer of the outage may come after the broker's return; then it is probed again.
      awaitUntil(() -> Scraped.of(registry).sum("outbox_broker_available") == 1);

      Scraped scraped = Scraped.of(registry);
      assertThat(scraped.sum("outbox_broker_outage_seconds")).isZero();
      assertThat(scraped.sum("outbox_broker_outages_total")).isPositive();
      assertThat(scraped.sum("outbox_released_total", "cause", "unavailable")).isPositive();
      assertThat(scraped.sum("outbox_failure_count")).isZero();
      assertThat(scraped.sum("outbox_process_latency_count", "topic", "orders")).isEqualTo(3);
    }
  }
}
