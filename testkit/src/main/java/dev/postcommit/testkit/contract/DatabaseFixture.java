package dev.postcommit.testkit.contract;

import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** One database for all tests of a class, and statements in it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class DatabaseFixture {
  private @Nullable PostgresDatabase database;
  private @Nullable DataSource relays;

  /** A database of its own, empty. */
  protected DatabaseFixture() {}

  @BeforeAll
  final void createDatabase() {
    database = PostgresServer.shared().createDatabase();
    relays = connectRelays(database);
    createTables();
  }

  /**
   * Connects stores and admins to the database: as the tests are connected, unless a test overrides
   * it. A pool is closed after the last test.
   */
  protected DataSource connectRelays(PostgresDatabase to) {
    return to.dataSource();
  }

  /** Creates the tables, once. */
  protected abstract void createTables();

  @AfterAll
  final void dropDatabase() {
    if (database != null) {
      if (relays instanceof HikariDataSource pool && pool != database.dataSource()) {
        pool.close();
      }
      database.close();
    }
  }

  /** The database. */
  protected final PostgresDatabase database() {
    if (database == null) {
      throw new IllegalStateException("the database is created before the first test");
    }
    return database;
  }

  /** A pool on the database. */
  protected final DataSource dataSource() {
    return database().dataSource();
  }

  /** The connections of stores and admins. */
  protected final DataSource relayConnections() {
    return Objects.requireNonNull(relays, "the database is created before the first test");
  }

  /** Work in one transaction. */
  @FunctionalInterface
  protected interface InTransaction {
    /** Does the work. */
    void with(Connection tx) throws SQLException;
  }

  /** Runs and commits. */
  protected final void transaction(InTransaction work) {
    try (Connection connection = dataSource().getConnection()) {
      connection.setAutoCommit(false);
      work.with(connection);
      connection.commit();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Calls {@code each} with the first column of each row. */
  protected final void query(String sql, Consumer<String> each) {
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        each.accept(rows.getString(1));
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Runs a statement. */
  protected final void execute(String sql) {
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Keeps Postgres from cleaning up or analysing the tables there are: only the test does. */
  protected final void stopAutovacuum() {
    query(
        """
        SELECT format('ALTER TABLE %s SET (autovacuum_enabled = off)', oid::regclass) FROM pg_class
        WHERE relkind = 'r' AND relnamespace::regnamespace::text !~ '^(pg_|information_schema)'""",
        this::execute);
  }

  /** Waits for what happens within moments. */
  protected static void awaitUntil(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(5))
        .until(condition);
  }
}
