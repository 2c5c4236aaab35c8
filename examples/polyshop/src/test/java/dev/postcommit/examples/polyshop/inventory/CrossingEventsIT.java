package dev.postcommit.examples.polyshop.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.examples.polyshop.events.OrderCancelled;
import dev.postcommit.examples.polyshop.events.OrderPlaced;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Events of one order come from several topics, and are handled at the same time. */
class CrossingEventsIT {
  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final JdbcTemplate sql = new JdbcTemplate(database.dataSource());
  private ConfigurableApplicationContext service;

  @BeforeEach
  void start() {
    OutboxMigration.migrate(database.dataSource(), Layout.preset("polyshop"));
    InboxMigration.migrate(database.dataSource(), TableName.of("processed_events"));
    service =
        new SpringApplicationBuilder(InventoryApplication.class)
            .web(WebApplicationType.NONE)
            .run(
                "--SERVICE_NAME=inventory-service",
                "--DATABASE_JDBC_URL=" + database.jdbcUrl(),
                "--DATABASE_USER=" + database.username(),
                // Nothing is consumed: the handlers are called here.
                "--KAFKA_BOOTSTRAP_SERVERS=127.0.0.1:1");
  }

  @AfterEach
  void stop() {
    service.close();
    database.close();
  }

  /** Otherwise the one would see no cancellation, the other no reservation. */
  @Test
  void anOrderThatIsCancelledWhileItsStockIsReservedKeepsNothing() {
    Reservations reservations = service.getBean(Reservations.class);
    TransactionTemplate transaction =
        new TransactionTemplate(service.getBean(PlatformTransactionManager.class));
    UUID product = UUID.randomUUID();
    sql.update("INSERT INTO stock (product_id, available, reserved) VALUES (?, 5, 0)", product);
    UUID order = UUID.randomUUID();
    OrderPlaced placed =
        new OrderPlaced(
            order,
            UUID.randomUUID(),
            List.of(new OrderPlaced.Item(product, UUID.randomUUID(), 2)),
            BigDecimal.TEN,
            "EUR",
            Instant.now());

    CompletableFuture<Void> cancellation =
        transaction.execute(
            status -> {
              reservations.reserve(placed);
              CompletableFuture<Void> other =
                  CompletableFuture.runAsync(
                      () ->
                          transaction.executeWithoutResult(
                              own ->
                                  reservations.release(
                                      new OrderCancelled(
                                          order, "changed my mind", Instant.now()))));
              await().until(() -> other.isDone() || waiting() > 0);
              return other;
            });

    assertThat(cancellation).succeedsWithin(Duration.ofSeconds(20));
    assertThat(sql.queryForMap("SELECT available, reserved FROM stock"))
        .containsEntry("available", 5)
        .containsEntry("reserved", 0);
    assertThat(sql.queryForList("SELECT status FROM reservations", String.class))
        .containsExactly("RELEASED");
  }

  private Long waiting() {
    return sql.queryForObject(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'""",
        Long.class);
  }
}
