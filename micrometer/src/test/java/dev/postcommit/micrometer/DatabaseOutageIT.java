package dev.postcommit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Relay;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.postgres.PostgresServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** R49: the metrics of a relay whose database goes away and comes back. */
class DatabaseOutageIT {
  private final PrometheusMeterRegistry registry = Everything.registry();
  private final Layout layout = Layout.nativeTable();

  @Test
  @DisplayName("R49: while the database is down its figures are unknown and the outage shows")
  @SuppressWarnings("try") // the relay works without being spoken to
  void anOutageOfTheDatabaseShows() {
    try (PostgresServer server = PostgresServer.start()) {
      // Without a pool, which would wait for the server before it says that there is none.
      PGSimpleDataSource database = new PGSimpleDataSource();
      database.setUrl(server.jdbcUrl());
      database.setUser(server.username());
      OutboxMigration.migrate(database, layout);
      OutboxAdmin admin = OutboxAdmin.of(database, layout);
      try (RelayMetrics metrics = RelayMetrics.of(registry, layout);
          TableMetrics table = TableMetrics.of(registry, layout, admin, Duration.ofMillis(50));
          Relay relay =
              Relay.builder(database, new Answers(message -> Delivery.DELIVERED))
                  .listener(metrics)
                  .build()) {
        table.start();
        relay.start();
        await(() -> now("outbox_pending_count") == 0 && now("outbox_polls_total") > 0);

        server.stopImmediate();
        await(() -> now("outbox_database_available") == 0);
        await(() -> Double.isNaN(now("outbox_pending_count")));
        await(() -> now("outbox_database_outage_seconds") > 0);

        server.restart();
        await(() -> now("outbox_database_available") == 1 && now("outbox_pending_count") == 0);
        assertThat(now("outbox_database_outage_seconds")).isZero();
        assertThat(now("outbox_database_outages_total")).isPositive();
      }
    }
  }

  private double now(String name) {
    return Scraped.of(registry).sum(name);
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(45))
        .pollInterval(Duration.ofMillis(20))
        .until(condition);
  }
}
