package dev.postcommit.examples.packfinderz;

import static org.awaitility.Awaitility.await;

import dev.postcommit.RetryPolicy;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A relay whose user may update three columns of the outbox table, and no others. */
final class RestrictedRelay implements AutoCloseable {
  private static final RetryPolicy TWICE =
      new RetryPolicy(2, Duration.ofMillis(1), Duration.ofMillis(1));

  private static final String OPEN =
      "SELECT count(*) FROM outbox_events WHERE published_at IS NULL AND attempt_count < 2";

  private final PostgresDatabase database;
  private final String role;
  private final PGSimpleDataSource dataSource = new PGSimpleDataSource();

  RestrictedRelay(PostgresDatabase database) throws SQLException {
    this.database = database;
    role = "relay_" + database.name();
    execute("CREATE ROLE %s LOGIN".formatted(role));
    execute(
        "GRANT SELECT, UPDATE (published_at, attempt_count, last_error) ON outbox_events TO "
            + role);
    execute(
        """
        GRANT SELECT, INSERT, UPDATE, DELETE ON outbox_events_failure, outbox_events_header,
          outbox_events_relay, outbox_events_pause, outbox_events_topic TO %s"""
            .formatted(role));
    dataSource.setUrl(database.jdbcUrl());
    dataSource.setUser(role);
  }

  private void execute(String sql) throws SQLException {
    Sql.execute(database.dataSource(), sql);
  }

  /** The database as this user sees it. */
  DataSource dataSource() {
    return dataSource;
  }

  /** Sends all events but those of {@code bad}, which fail twice and are given up. */
  void deliverAllBut(UUID bad) {
    Publisher publisher =
        Publisher.callback(
            Duration.ofSeconds(1),
            message -> {
              if (bad.toString().equals(message.key())) {
                throw new IOException("no");
              }
            });
    try (Relay relay =
        Relay.builder(dataSource, publisher).layout(Tables.OUTBOX.withRetryPolicy(TWICE)).build()) {
      relay.start();
      await().atMost(Stage.PATIENCE).until(() -> Sql.number(database.dataSource(), OPEN) == 0);
    }
  }

  @Override
  public void close() throws SQLException {
    execute("DROP OWNED BY " + role);
    execute("DROP ROLE " + role);
  }
}
