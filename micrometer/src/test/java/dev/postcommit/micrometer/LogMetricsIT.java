package dev.postcommit.micrometer;

import dev.postcommit.Event;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.LayoutSample;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R49: what is scraped of a log, besides what is scraped of every table. */
@SuppressWarnings("try") // the metrics are read without being spoken to
class LogMetricsIT extends LayoutFixture {
  private final PrometheusMeterRegistry registry = Everything.registry();

  LogMetricsIT() {
    super(
        new LayoutSample(
            Layout.log(),
            key -> Event.builder("happened").key(key),
            tenant -> Event.builder("happened").tenant(tenant).json("1").build()));
  }

  private TableMetrics started() {
    OutboxAdmin admin = OutboxAdmin.of(dataSource(), layout());
    TableMetrics metrics = TableMetrics.of(registry, layout(), admin, Duration.ofMillis(20));
    metrics.start();
    return metrics;
  }

  private void awaitGauges(double leader, double diverted, double pending) {
    awaitUntil(
        () -> {
          Scraped scraped = Scraped.of(registry);
          return scraped.sum("outbox_log_leader", "layout", "log") == leader
              && scraped.sum("outbox_diverted_count", "layout", "log") == diverted
              && scraped.sum("outbox_pending_count", "layout", "log") == pending;
        });
  }

  @Test
  @DisplayName("R49: whether a relay leads a log, and what is diverted, follow the tables")
  void leaderAndDivertedFollowTheTables() {
    try (TableMetrics metrics = started()) {
      awaitGauges(0, 0, 0);
      List<String> ids = enqueue("a", 3);
      enqueue(event("later").json("{}").availableAt(Instant.now().plusSeconds(3600)).build());
      awaitGauges(0, 1, 4);

      OutboxStore store = store();
      Claim claim = store.claim(upTo(9));
      awaitGauges(1, 1, 4);
      store.settle(
          claim,
          List.of(
              new Outcome.Retry(ids.get(0), "not now", Duration.ofHours(1)),
              new Outcome.Released(ids.get(1)),
              new Outcome.Released(ids.get(2))));
      store.claim(upTo(9));
      awaitGauges(1, 4, 4);
      store.close();
      awaitGauges(0, 4, 4);
    }
  }

  @Test
  @DisplayName("R49: a relay that vanished does not lead when its lease is over")
  void aLeaseThatIsOverIsNoLead() {
    OutboxStore gone = store();
    try (TableMetrics metrics = started()) {
      gone.claim(upTo(1));
      awaitGauges(1, 0, 0);
      execute("UPDATE postcommit_log_cursor SET until = now() - interval '1 s'");
      awaitGauges(0, 0, 0);
    }
  }
}
