package dev.postcommit.testkit.postgres;

import javax.sql.DataSource;

/**
 * A real Postgres on a free port of the loopback address, with its data in a temporary directory.
 *
 * <p>It keeps what a production server keeps: {@code fsync} and {@code synchronous_commit} are on
 * unless a setting says otherwise. The superuser needs no password. Safe for use by many threads.
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
   * The server that all tests of this JVM share, started by the first call. It ends with the JVM:
   * its {@link #close()} does nothing. Tests get their isolation from {@link #createDatabase()};
   * those that stop the server start one of their own.
   */
  static PostgresServer shared() {
    return EmbeddedPostgresServer.shared();
  }

  /** A builder of a server with settings of its own. */
  static Builder builder() {
    return new EmbeddedPostgresServer.BuilderImpl();
  }

  /** The address of the database {@code postgres}; the user is not part of it. */
  String jdbcUrl();

  /** The superuser. */
  String username();

  /** The port the server listens on, the same after a {@link #restart()}. */
  int port();

  /** A connection pool on the database {@code postgres}, closed with the server. */
  DataSource dataSource();

  /** Creates an empty database with a name of its own. */
  PostgresDatabase createDatabase();

  /** Creates a copy of a database of this server, and cuts off the sessions that the other has. */
  PostgresDatabase createDatabase(PostgresDatabase template);

  /**
   * Stops the server as a crash would: sessions are cut off, nothing is written, and the next start
   * recovers from the log.
   */
  void stopImmediate();

  /**
   * Kills the process of one session. Postgres cuts off all the others then and recovers from the
   * log, without being started anew; returns when it takes connections again.
   */
  void crashASession();

  /**
   * Starts the server on the same port with the same data, after a clean stop if it is running, and
   * returns when it takes connections.
   */
  void restart();

  /** Stops the server and removes its directory. */
  @Override
  void close();

  /** Collects the settings of a server. */
  interface Builder {

    /**
     * Sets one server setting, as in {@code postgresql.conf}. Default: Postgres's own, but for
     * {@code max_connections} 200 and {@code timezone} UTC.
     */
    Builder setting(String name, String value);

    /**
     * Puts a file into the server's data directory, which only the server may read, as {@code
     * server.key}. A {@code pg_hba.conf} of your own must let the superuser in without a password.
     */
    Builder file(String name, String content);

    /** Sets a variable of the server's environment, on top of this JVM's own. */
    Builder environment(String name, String value);

    /** Starts a server and returns when it takes connections. */
    PostgresServer start();
  }
}
