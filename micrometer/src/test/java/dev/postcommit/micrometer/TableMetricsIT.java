package dev.postcommit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.Event;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.LayoutSettings;
import dev.postcommit.layout.Lifecycle;
import dev.postcommit.layout.Role;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.LayoutSample;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R49: what is scraped of a table is how it stands. */
@SuppressWarnings("try") // the metrics are read without being spoken to
class TableMetricsIT extends LayoutFixture {
  private static final Duration OFTEN = Duration.ofMillis(20);
  private static final List<String> GAUGES =
      List.of(
          "outbox_pending_count",
          "outbox_in_flight_count",
          "outbox_delayed_count",
          "outbox_dead_count",
          "outbox_relays_count",
          "outbox_diverted_count",
          "outbox_log_leader",
          "outbox_oldest_age_seconds");

  private final PrometheusMeterRegistry registry = Everything.registry();

  TableMetricsIT() {
    super(
        new LayoutSample(
            Layout.nativeTable(),
            key -> Event.builder("happened").key(key),
            tenant -> Event.builder("happened").tenant(tenant).json("1").build()));
  }

  private TableMetrics started(Layout layout) {
    TableMetrics metrics =
        TableMetrics.of(registry, layout, OutboxAdmin.of(dataSource(), layout), OFTEN);
    metrics.start();
    return metrics;
  }

  private double now(String gauge) {
    return Scraped.of(registry).sum(gauge);
  }

  private void awaitGauges(String one, double value, String other, double otherValue) {
    awaitUntil(
        () -> {
          Scraped scraped = Scraped.of(registry);
          return Double.compare(scraped.sum(one), value) == 0
              && Double.compare(scraped.sum(other), otherValue) == 0;
        });
  }

  private boolean unknown() {
    Scraped scraped = Scraped.of(registry);
    return GAUGES.stream().allMatch(gauge -> Double.isNaN(scraped.sum(gauge)));
  }

  @Test
  @DisplayName("R49: pending, in flight, delayed, dead, relays and the oldest age follow the table")
  void theGaugesFollowTheTable() {
    try (TableMetrics metrics = started(layout())) {
      awaitGauges("outbox_pending_count", 0, "outbox_oldest_age_seconds", 0);
      awaitGauges("outbox_diverted_count", Double.NaN, "outbox_log_leader", Double.NaN);

      enqueue("a", 3);
      enqueue(event("later").json("{}").availableAt(Instant.now().plusSeconds(3600)).build());
      awaitGauges("outbox_pending_count", 4, "outbox_delayed_count", 1);
      execute("UPDATE postcommit_outbox SET created_at = created_at - interval '10 minutes'");
      awaitUntil(
          () -> {
            double age = now("outbox_oldest_age_seconds");
            return age >= 600 && age < 700;
          });

      OutboxStore store = store();
      Claim claim = store.claim(upTo(2));
      awaitGauges("outbox_in_flight_count", 2, "outbox_pending_count", 4);
      List<String> taken = ids(claim);
      store.settle(
          claim,
          List.of(new Outcome.Delivered(taken.get(0)), new Outcome.Dead(taken.get(1), "no")));
      awaitGauges("outbox_dead_count", 1, "outbox_in_flight_count", 0);
      awaitGauges("outbox_pending_count", 2, "outbox_relays_count", 0);
      try (Relay relay =
          Relay.builder(dataSource(), Publisher.callback(Duration.ofSeconds(1), message -> {}))
              .build()) {
        relay.start();
        awaitGauges("outbox_pending_count", 1, "outbox_relays_count", 1);
      }
      awaitGauges("outbox_pending_count", 1, "outbox_relays_count", 0);
    }
  }

  @Test
  @DisplayName("R49: while a reading does not come back the figures are unknown, and nobody waits")
  void aReadingThatHangsMakesTheFiguresUnknown() {
    try (TableMetrics metrics = started(layout())) {
      awaitUntil(() -> now("outbox_pending_count") == 0);

      transaction(
          tx -> {
            tx.createStatement().execute("LOCK TABLE postcommit_outbox");
            awaitUntil(this::unknown);
          });

      awaitUntil(() -> now("outbox_pending_count") == 0);
      assertThat(now("outbox_table_query_failures_total")).isZero();
      assertThat(now("outbox_table_query_seconds_sum")).isPositive();
    }
  }

  @Test
  @DisplayName("R49: while the table cannot be read the figures are unknown, and come back")
  void aReadingThatFailsMakesTheFiguresUnknown() {
    try (TableMetrics metrics = started(layout())) {
      awaitUntil(() -> now("outbox_pending_count") == 0);

      execute("ALTER TABLE postcommit_outbox RENAME TO elsewhere");
      try {
        awaitUntil(() -> now("outbox_table_query_failures_total") >= 2);
        assertThat(unknown()).isTrue();
      } finally {
        execute("ALTER TABLE elsewhere RENAME TO postcommit_outbox");
      }

      awaitUntil(() -> now("outbox_pending_count") == 0);
    }
  }

  @Test
  @DisplayName("R49: a layout that does not keep when a row was written has no oldest age")
  void whatTheLayoutDoesNotKeepIsUnknown() {
    Map<Role, Column> columns = new EnumMap<>(layout().columns());
    columns.remove(Role.CREATED_AT);
    Layout timeless =
        new Layout(
            "adopted",
            layout().table(),
            columns,
            new Lifecycle.Status("pending", "delivered", "dead"),
            layout().retryPolicy(),
            LayoutSettings.NONE,
            null);
    enqueue("a", 2);

    try (TableMetrics metrics = started(timeless)) {
      awaitGauges("outbox_pending_count", 2, "outbox_oldest_age_seconds", Double.NaN);
    }
  }

  @Test
  void nothingIsKnownBeforeTheFirstReadingAndNothingIsLeftAfterClosing() {
    TableMetrics metrics = TableMetrics.of(registry, layout(), admin());
    assertThat(unknown()).isTrue();

    metrics.close();

    assertThat(Scraped.of(registry).types()).doesNotContainKeys(GAUGES.toArray(String[]::new));
    assertThatThrownBy(metrics::start).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aTimeOfNothingIsRefused() {
    assertThatThrownBy(() -> TableMetrics.of(registry, layout(), admin(), Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("interval");
  }
}
