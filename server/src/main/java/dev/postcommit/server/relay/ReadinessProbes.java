package dev.postcommit.server.relay;

import dev.postcommit.relay.Publisher;
import dev.postcommit.server.table.DatabaseFailures;
import dev.postcommit.server.table.OutboxTable;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Probes the database and the broker of a relay once a second, independently of its work.
 *
 * <p>A relay notices an outage only when something it waits for times out, and an idle relay may
 * not notice it at all. Readiness checks need to know sooner.
 */
public final class ReadinessProbes implements AutoCloseable {
  private static final int ANSWER_SECONDS = 2;

  private final ReadinessProbe database;
  private final ReadinessProbe broker;
  private final DatabaseProbe connection;
  private final Publisher publisher;

  /**
   * Probes that have not started yet.
   *
   * @param onRecovery runs when one of them answers again
   */
  ReadinessProbes(RelayPlan plan, Runnable onRecovery) {
    connection = new DatabaseProbe(plan.table());
    publisher = plan.broker().publisher(plan.messages().route().topics());
    database = new ReadinessProbe("database", connection::problem, onRecovery);
    broker = new ReadinessProbe("broker", publisher::problem, onRecovery);
  }

  void start() {
    database.start();
    broker.start();
  }

  /** Why the database cannot be used, if it cannot. */
  public Optional<String> databaseProblem() {
    return database.problem();
  }

  /** Why the broker cannot be used, if it cannot. */
  public Optional<String> brokerProblem() {
    return broker.problem();
  }

  @Override
  public void close() {
    database.close();
    broker.close();
    connection.close();
    publisher.close();
  }

  /** Has its own connection, so that a busy pool does not look like an outage. */
  private static final class DatabaseProbe {
    private final OutboxTable table;
    private @Nullable Connection connection;

    DatabaseProbe(OutboxTable table) {
      this.table = table;
    }

    synchronized Optional<String> problem() {
      try {
        if (connection == null || !connection.isValid(ANSWER_SECONDS)) {
          close();
          connection = open();
          if (!connection.isValid(ANSWER_SECONDS)) {
            throw new SQLException("no answer within " + ANSWER_SECONDS + " s");
          }
        }
        return Optional.empty();
      } catch (SQLException e) {
        close();
        return Optional.of(DatabaseFailures.explain(e, table));
      }
    }

    private Connection open() throws SQLException {
      Duration answer = Duration.ofSeconds(ANSWER_SECONDS);
      Properties properties = table.login("postcommit-health", answer, answer);
      properties.setProperty("loginTimeout", Integer.toString(ANSWER_SECONDS));
      return DriverManager.getConnection(table.url(), properties);
    }

    synchronized void close() {
      if (connection != null) {
        try {
          connection.close();
        } catch (SQLException e) {
          // It is discarded anyway.
        }
        connection = null;
      }
    }
  }
}
