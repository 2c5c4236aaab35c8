package dev.postcommit.examples.polyshop.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.examples.polyshop.common.DomainEventFactory;
import dev.postcommit.examples.polyshop.common.OutboxEventRepository;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** R1, R2, R9, R13: the outbox of a service is part of its JPA transactions. */
class OutboxOfAServiceIT {
  private static PostgresDatabase database;
  private static ConfigurableApplicationContext service;

  private final JdbcTemplate sql = new JdbcTemplate(database.dataSource());
  private final UserService users = service.getBean(UserService.class);
  private final OutboxEventRepository outbox = service.getBean(OutboxEventRepository.class);
  private final DomainEventFactory events = service.getBean(DomainEventFactory.class);
  private final TransactionTemplate transaction =
      new TransactionTemplate(service.getBean(PlatformTransactionManager.class));

  @BeforeAll
  static void start() {
    database = PostgresServer.shared().createDatabase();
    OutboxMigration.migrate(database.dataSource(), Layout.preset("polyshop"));
    service =
        new SpringApplicationBuilder(AuthApplication.class)
            .web(WebApplicationType.NONE)
            .run(
                "--SERVICE_NAME=auth-service",
                "--DATABASE_JDBC_URL=" + database.jdbcUrl(),
                "--DATABASE_USER=" + database.username(),
                // No broker is needed to write events.
                "--KAFKA_BOOTSTRAP_SERVERS=127.0.0.1:1");
  }

  @AfterAll
  static void stop() {
    service.close();
    database.close();
  }

  @Test
  void userAndEventAreCommittedTogether() {
    User user = users.register("ada@example.org", "Ada");

    Map<String, Object> row =
        sql.queryForMap(
            """
            SELECT e.event_type, e.version, e.processed, e.payload ->> 'email' AS email,
              e.created_at <= clock_timestamp() AS past, h.headers ->> 'traceId' AS trace
            FROM outbox_events e JOIN outbox_events_header h USING (id) WHERE aggregate_id = ?""",
            user.id().toString());
    assertThat(row)
        .containsEntry("event_type", "auth.user.created.v1")
        .containsEntry("version", 1)
        .containsEntry("processed", false)
        .containsEntry("email", "ada@example.org")
        .containsEntry("past", true);
    assertThat(UUID.fromString((String) row.get("trace"))).isNotNull();
  }

  @Test
  void aRollbackRemovesBoth() {
    UUID id =
        transaction.execute(
            status -> {
              status.setRollbackOnly();
              return users.register("bob@example.org", "Bob").id();
            });

    assertThat(count("SELECT count(*) FROM users WHERE id = ?", id)).isZero();
    assertThat(count("SELECT count(*) FROM outbox_events WHERE aggregate_id = CAST(? AS text)", id))
        .isZero();
    assertThat(
            sql.queryForObject(
                """
                SELECT count(*) FROM outbox_events_header h
                WHERE NOT EXISTS (SELECT FROM outbox_events e WHERE e.id = h.id)""",
                Long.class))
        .isZero();
  }

  @Test
  void anEventOutsideOfATransactionIsRefused() {
    UUID id = UUID.randomUUID();

    assertThatThrownBy(() -> outbox.save(events.create("auth.user.created.v1", id, Map.of())))
        .isInstanceOf(IllegalTransactionStateException.class);

    assertThat(count("SELECT count(*) FROM outbox_events WHERE aggregate_id = CAST(? AS text)", id))
        .isZero();
  }

  @Test
  void eventsOfOneTransactionAreInTheOrderOfWriting() {
    UUID id = UUID.randomUUID();

    transaction.executeWithoutResult(
        status -> {
          for (int number = 1; number <= 20; number++) {
            outbox.save(events.create("auth.user.verified.v1", id, Map.of("number", number)));
          }
        });

    List<Integer> numbers =
        sql.queryForList(
            """
            SELECT CAST(payload ->> 'number' AS int) FROM outbox_events
            WHERE aggregate_id = ? ORDER BY created_at, id""",
            Integer.class,
            id.toString());
    assertThat(numbers).hasSize(20).isSorted();
    assertThat(
            sql.queryForObject(
                "SELECT count(DISTINCT created_at) FROM outbox_events WHERE aggregate_id = ?",
                Long.class,
                id.toString()))
        .isEqualTo(20);
  }

  private Long count(String query, UUID id) {
    return sql.queryForObject(query, Long.class, id);
  }
}
