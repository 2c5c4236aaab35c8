package dev.postcommit.server.relay;

import dev.postcommit.relay.Publisher;
import dev.postcommit.server.table.DatabaseFailures;
import dev.postcommit.server.table.OutboxTable;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Whether the database and the broker of a relay answer, asked once a second apart from its work.
 *
 * <p>A relay learns of an outage when something it waits for has timed out, and one that is idle
 * not at all. Who asks it for its readiness wants to know sooner.
 */
public final class ReadinessProbes implements AutoCloseable {
  private static final int ANSWER_SECONDS = 2;

  private final ReadinessProbe database;
  private final ReadinessProbe broker;
  private final DatabaseProbe connection;
  private final Publisher publisher;

  /**
   * Has not asked yet.
   *
   * @param onRecovery is run when one of them answers after it did not
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

  /** A connection of its own, so that a pool that is busy is not taken for an outage. */
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
      Properties properties = new Properties();
      if (table.user() != null) {
        properties.setProperty("user", table.user());
      }
      if (table.password() != null) {
        properties.setProperty("password", table.password());
      }
      String seconds = Integer.toString(ANSWER_SECONDS);
      properties.setProperty("connectTimeout", seconds);
      properties.setProperty("loginTimeout", seconds);
      properties.setProperty("socketTimeout", seconds);
      properties.setProperty("ApplicationName", "postcommit-health");
      return DriverManager.getConnection(table.url(), properties);
    }

    synchronized void close() {
      if (connection != null) {
        try {
          connection.close();
        } catch (SQLException e) {
          // It is of no use any more.
        }
        connection = null;
      }
    }
  }
}
