package dev.postcommit.testkit.postgres;

import javax.sql.DataSource;

/**
 * A real Postgres on a free port of the loopback address, with its data in a temporary directory.
 *
 * <p>It is as durable as a production server: {@code fsync} and {@code synchronous_commit} are on
 * by default. The superuser needs no password. Safe for use by many threads.
 *
 * <pre>{@code
 * try (PostgresDatabase database = PostgresServer.shared().createDatabase();
 *     Connection connection = database.dataSource().getConnection()) {
 *   ...
 * }
 * }</pre>
 */
public interface PostgresServer extends AutoCloseable {

  /** Starts a server with the default settings. */
  static PostgresServer start() {
    return builder().start();
  }

  /**
   * Returns the server that all tests of this JVM share, started by the first call. It ends with
   * the JVM; {@link #close()} does nothing. Use {@link #createDatabase()} to isolate tests, and
   * {@link #start()} for a test that stops its server.
   */
  static PostgresServer shared() {
    return EmbeddedPostgresServer.shared();
  }

  /** Returns a builder of a server with other settings. */
  static Builder builder() {
    return new EmbeddedPostgresServer.BuilderImpl();
  }

  /** Returns the URL of the database {@code postgres}, without the user. */
  String jdbcUrl();

  /** The superuser. */
  String username();

  /** Returns the port it listens on, the same after a {@link #restart()}. */
  int port();

  /** A connection pool on the database {@code postgres}, closed with the server. */
  DataSource dataSource();

  /** Creates an empty database with a name of its own. */
  PostgresDatabase createDatabase();

  /** Creates a copy of a database of this server, whose sessions it ends. */
  PostgresDatabase createDatabase(PostgresDatabase template);

  /**
   * Stops the server as a crash would: sessions end, nothing is written, and the next start
   * recovers from the WAL.
   */
  void stopImmediate();

  /**
   * Kills the process of one session. Postgres then ends all others and recovers from the WAL
   * without a restart. Returns when it accepts connections again.
   */
  void crashASession();

  /**
   * Starts the server on the same port with the same data, after a clean stop if it is running, and
   * returns when it accepts connections.
   */
  void restart();

  /** Stops the server and removes its directory. */
  @Override
  void close();

  /** Collects the settings of a server. */
  interface Builder {

    /**
     * Sets one server setting, as in {@code postgresql.conf}. Default: Postgres's own, except
     * {@code max_connections} 200 and {@code timezone} UTC.
     */
    Builder setting(String name, String value);

    /**
     * Puts a file that only the server may read, such as {@code server.key}, into the server's data
     * directory. A custom {@code pg_hba.conf} must let the superuser in without a password.
     */
    Builder file(String name, String content);

    /** Sets a variable of the server's environment, on top of this JVM's own. */
    Builder environment(String name, String value);

    /** Starts a server and returns when it accepts connections. */
    PostgresServer start();
  }
}
