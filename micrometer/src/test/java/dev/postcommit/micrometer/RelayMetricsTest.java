package dev.postcommit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.relay.Delivery;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R49: what a listener records. */
class RelayMetricsTest {
  private static final Duration MOMENT = Duration.ofMillis(3);

  private final PrometheusMeterRegistry registry = Everything.registry();
  private final RelayMetrics metrics = RelayMetrics.of(registry, Everything.LAYOUT);

  private void delivered(RelayMetrics to, String topic, Instant createdAt) {
    to.answered(Everything.event(topic, createdAt), Delivery.DELIVERED, MOMENT);
  }

  @Test
  @DisplayName("R49: each thing that happens is counted once, where it belongs")
  void eachThingIsCountedOnce() {
    Everything.happen(metrics);
    Scraped scraped = Scraped.of(registry);

    for (String outcome : List.of("delivered", "retryable", "rejected")) {
      assertThat(scraped.sum("outbox_attempts_total", "topic", "orders", "outcome", outcome))
          .isEqualTo(1);
    }
    for (String cause : List.of("unavailable", "held_back", "deferred", "topic_unavailable")) {
      assertThat(scraped.sum("outbox_released_total", "topic", "orders", "cause", cause))
          .isEqualTo(1);
    }
    assertThat(scraped.sum("outbox_failure_count", "topic", "orders")).isEqualTo(2);
    assertThat(scraped.sum("outbox_process_latency_count", "topic", "orders")).isEqualTo(1);
    assertThat(scraped.sum("outbox_publish_seconds_count")).isEqualTo(7);
    assertThat(scraped.sum("outbox_publish_seconds_sum")).isEqualTo(0.021);
    assertThat(scraped.sum("outbox_polls_total")).isEqualTo(2);
    for (String once :
        List.of(
            "outbox_violations_total",
            "outbox_dead_events_total",
            "outbox_idle_polls_total",
            "outbox_claimed_events_total",
            "outbox_claim_seconds_count",
            "outbox_settled_events_total",
            "outbox_settle_seconds_count",
            "outbox_lease_losses_total",
            "outbox_lease_lost_events_total",
            "outbox_broker_outages_total",
            "outbox_database_outages_total")) {
      assertThat(scraped.sum(once)).as(once).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("R49: the latency falls into fixed buckets that only ever rise")
  void theBucketsRise() {
    for (double seconds : new double[] {0, 0.5, 20, 299, 1000}) {
      delivered(metrics, "orders", Instant.now().minusMillis(Math.round(seconds * 1000)));
    }
    Scraped scraped = Scraped.of(registry);

    double last = 0;
    double bound = 0;
    for (Scraped.Sample bucket : scraped.all("outbox_process_latency_bucket", "topic", "orders")) {
      double next = bound(bucket);
      assertThat(next).isGreaterThan(bound);
      assertThat(bucket.value()).isGreaterThanOrEqualTo(last);
      bound = next;
      last = bucket.value();
    }
    assertThat(last).isEqualTo(5);
    assertThat(bucket(scraped, "30.0")).isEqualTo(3);
    assertThat(bucket(scraped, "600.0")).isEqualTo(4);
    assertThat(scraped.sum("outbox_process_latency_sum", "topic", "orders"))
        .isBetween(1319.5, 1320.5);
  }

  @Test
  @DisplayName("R49: times below a second fall into the buckets below a second")
  void theBucketsTellShortTimesApart() {
    for (double bound : new double[] {0.001, 0.0025, 0.01, 0.1, 0.5}) {
      PrometheusMeterRegistry fresh = Everything.registry();
      RelayMetrics once = RelayMetrics.of(fresh, Everything.LAYOUT);
      Instant createdAt = Instant.now().minusNanos(Math.round(bound * 1.1e9));
      delivered(once, "orders", createdAt);
      double longest = Duration.between(createdAt, Instant.now()).toNanos() / 1e9;

      for (Scraped.Sample bucket :
          Scraped.of(fresh).all("outbox_process_latency_bucket", "topic", "orders")) {
        double limit = bound(bucket);
        if (limit <= bound) {
          assertThat(bucket.value()).as("%s of at least %s s", bucket, bound * 1.1).isZero();
        } else if (limit >= longest) {
          assertThat(bucket.value()).as("%s of at most %s s", bucket, longest).isEqualTo(1);
        }
      }
    }
  }

  private static double bound(Scraped.Sample bucket) {
    String le = bucket.labels().get("le");
    return le.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(le);
  }

  @Test
  void timesOutOfThisWorldAreBounded() {
    delivered(metrics, "past", Instant.MIN);
    delivered(metrics, "future", Instant.MAX);

    Scraped scraped = Scraped.of(registry);
    assertThat(scraped.sum("outbox_process_latency_sum", "topic", "past")).isPositive();
    assertThat(scraped.sum("outbox_process_latency_sum", "topic", "future")).isZero();
  }

  private static double bucket(Scraped scraped, String bound) {
    return scraped.sum("outbox_process_latency_bucket", "topic", "orders", "le", bound);
  }

  @Test
  @DisplayName("R49: a database whose clock is ahead makes no negative latency")
  void theLatencyIsNeverNegative() {
    delivered(metrics, "orders", Instant.now().plusSeconds(60));

    Scraped scraped = Scraped.of(registry);
    assertThat(scraped.sum("outbox_process_latency_sum", "topic", "orders")).isZero();
    assertThat(bucket(scraped, "0.001")).isEqualTo(1);
  }

  @Test
  void anEventThatDoesNotSayWhenItWasWrittenHasNoLatency() {
    delivered(metrics, "orders", Instant.EPOCH);

    Scraped scraped = Scraped.of(registry);
    assertThat(scraped.sum("outbox_process_latency_count", "topic", "orders")).isZero();
    assertThat(scraped.sum("outbox_attempts_total", "topic", "orders")).isEqualTo(1);
  }

  @Test
  @DisplayName("R49: topics beyond the limit are counted together")
  void topicsAreBounded() {
    PrometheusMeterRegistry small = Everything.registry();
    RelayMetrics few = RelayMetrics.of(small, Everything.LAYOUT, 3);
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 10; i++) {
        delivered(few, "topic-" + i, Instant.now());
      }
    }

    Scraped scraped = Scraped.of(small);
    assertThat(topics(scraped)).containsExactlyInAnyOrder("topic-0", "topic-1", "topic-2", "other");
    assertThat(scraped.sum("outbox_process_latency_count", "topic", "topic-2")).isEqualTo(2);
    assertThat(scraped.sum("outbox_process_latency_count", "topic", "other")).isEqualTo(14);
  }

  @Test
  @DisplayName("R49: many threads that bring new topics at once do not break the limit")
  void topicsAreBoundedAmongThreads() {
    IntStream.range(0, 20_000)
        .parallel()
        .forEach(i -> delivered(metrics, "topic-" + i % 500, Instant.now()));

    Scraped scraped = Scraped.of(registry);
    assertThat(topics(scraped)).hasSize(RelayMetrics.DEFAULT_MAX_TOPICS + 1).contains("other");
    assertThat(scraped.sum("outbox_process_latency_count")).isEqualTo(20_000);
  }

  private static Set<String> topics(Scraped scraped) {
    Set<String> topics = new HashSet<>();
    scraped.samples().forEach(sample -> topics.add(sample.labels().get("topic")));
    topics.remove(null);
    return topics;
  }

  @Test
  @DisplayName("R49: names that others chose become short values without control characters")
  void tagValuesAreCleaned() {
    delivered(metrics, "a\tb\"c\\d\n", Instant.now());
    delivered(metrics, "  ", Instant.now());
    delivered(metrics, "x".repeat(500), Instant.now());

    assertThat(topics(Scraped.of(registry)))
        .containsExactlyInAnyOrder("a_b\\\"c\\\\d_", "none", "x".repeat(120), "other");
  }

  @Test
  @DisplayName("R46, R49: a prune that fails shows until one works")
  void aFailingPruneShows() {
    metrics.pruneFailed("permission denied");
    metrics.pruneFailed("permission denied");
    assertThat(Scraped.of(registry).sum("outbox_prune_failing")).isEqualTo(1);

    metrics.pruned(5);

    Scraped scraped = Scraped.of(registry);
    assertThat(scraped.sum("outbox_prune_failing")).isZero();
    assertThat(scraped.sum("outbox_prune_failures_total")).isEqualTo(2);
    assertThat(scraped.sum("outbox_pruned_events_total")).isEqualTo(5);
  }

  @Test
  @DisplayName("R49: an outage shows while it lasts, with its length")
  void anOutageShows() {
    AtomicLong nanos = new AtomicLong();
    SimpleMeterRegistry timed = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock(nanos));
    RelayMetrics observed = RelayMetrics.of(timed, Everything.LAYOUT);
    assertThat(gauge(timed, "outbox.broker.available")).isEqualTo(1);

    observed.brokerUnavailable("gone");
    nanos.addAndGet(Duration.ofSeconds(90).toNanos());
    observed.brokerUnavailable("another relay says so too");

    assertThat(gauge(timed, "outbox.broker.available")).isZero();
    assertThat(gauge(timed, "outbox.broker.outage")).isEqualTo(90);
    assertThat(gauge(timed, "outbox.database.available")).isEqualTo(1);
    assertThat(gauge(timed, "outbox.database.outage")).isZero();

    observed.brokerRecovered(Duration.ofSeconds(90));

    assertThat(gauge(timed, "outbox.broker.available")).isEqualTo(1);
    assertThat(gauge(timed, "outbox.broker.outage")).isZero();
    assertThat(timed.get("outbox.broker.outages").counter().count()).isEqualTo(1);
  }

  private static double gauge(SimpleMeterRegistry registry, String name) {
    return registry.get(name).gauge().value();
  }

  private static Clock clock(AtomicLong nanos) {
    return new Clock() {
      @Override
      public long wallTime() {
        return nanos.get() / 1_000_000;
      }

      @Override
      public long monotonicTime() {
        return nanos.get();
      }
    };
  }

  @Test
  @DisplayName(
      "R49: a topic that takes no messages shows, by its name, for as long as it takes none")
  void aTopicThatTakesNoMessagesShows() {
    assertThat(topicOutages()).containsExactly("other 0.0");

    metrics.topicUnavailable("orders", "no such topic");
    metrics.topicUnavailable("orders", "another relay says so too");
    metrics.topicUnavailable("a\tb", "no such topic");
    assertThat(topicOutages()).containsExactly("a_b 1.0", "orders 1.0", "other 0.0");

    metrics.topicRecovered("orders", MOMENT);
    assertThat(topicOutages()).containsExactly("a_b 1.0", "other 0.0");

    metrics.close();
    assertThat(topicOutages()).isEmpty();
  }

  @Test
  @DisplayName("R49: topics beyond the limit that take no messages show together")
  void topicsThatTakeNoMessagesAreBounded() {
    PrometheusMeterRegistry small = Everything.registry();
    RelayMetrics few = RelayMetrics.of(small, Everything.LAYOUT, 1);
    for (String topic : List.of("a", "b", "c", "other")) {
      few.topicUnavailable(topic, "no such topic");
    }
    assertThat(topicOutages(small)).containsExactly("a 1.0", "other 1.0");

    few.topicRecovered("a", MOMENT);
    few.topicRecovered("b", MOMENT);
    few.topicRecovered("other", MOMENT);
    assertThat(topicOutages(small)).containsExactly("other 1.0");
    few.topicRecovered("c", MOMENT);
    few.topicUnavailable("d", "no such topic");
    assertThat(topicOutages(small)).containsExactly("d 1.0", "other 0.0");
  }

  private List<String> topicOutages() {
    return topicOutages(registry);
  }

  private static List<String> topicOutages(PrometheusMeterRegistry registry) {
    return Scraped.of(registry).all("outbox_topic_unavailable").stream()
        .map(sample -> sample.labels().get("topic") + " " + sample.value())
        .sorted()
        .toList();
  }

  @Test
  void aPauseShowsWhileItLasts() {
    metrics.paused("maintenance");
    assertThat(Scraped.of(registry).sum("outbox_paused")).isEqualTo(1);

    metrics.resumed();
    assertThat(Scraped.of(registry).sum("outbox_paused")).isZero();
  }

  @Test
  void afterClosingTheStateOfTheNextRelayIsShown() {
    metrics.brokerUnavailable("gone");
    metrics.close();
    assertThat(Scraped.of(registry).all("outbox_broker_available")).isEmpty();

    RelayMetrics next = RelayMetrics.of(registry, Everything.LAYOUT);
    assertThat(Scraped.of(registry).sum("outbox_broker_available")).isEqualTo(1);
    next.close();
  }

  @Test
  void anyRegistryWillDo() {
    SimpleMeterRegistry simple = new SimpleMeterRegistry();
    Everything.happen(RelayMetrics.of(simple, Everything.LAYOUT));

    assertThat(simple.get("outbox.failure.count").tag("topic", "orders").counter().count())
        .isEqualTo(2);
  }

  @Test
  void aNegativeLimitIsRefused() {
    assertThatThrownBy(() -> RelayMetrics.of(registry, Everything.LAYOUT, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxTopics")
        .hasMessageContaining("-1");
  }
}
