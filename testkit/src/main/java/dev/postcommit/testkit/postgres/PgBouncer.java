package dev.postcommit.testkit.postgres;

import dev.postcommit.testkit.process.ControlledServer;
import java.util.Optional;

/**
 * A real PgBouncer in front of a {@link PostgresServer}, on a free port of the loopback address.
 *
 * <p>It must be installed, for example from Debian's package {@code pgbouncer}; Maven cannot
 * provide it. By default the pool mode is transaction. Clients need no password. Safe for use by
 * many threads.
 */
public interface PgBouncer extends ControlledServer {

  /** Returns why it cannot be started here and what to install, or empty if it can. */
  static Optional<String> missing() {
    return ProcessPgBouncer.missing();
  }

  /** Starts a pooler with the default settings. */
  static PgBouncer start(PostgresServer server) {
    return builder(server).start();
  }

  /** Returns a builder of a pooler with other settings. */
  static Builder builder(PostgresServer server) {
    return new ProcessPgBouncer.BuilderImpl(server);
  }

  /** Returns the port it listens on, the same after a {@link #restart()}. */
  int port();

  /** Returns the URL of a database of the server, through the pooler. */
  default String jdbcUrl(String database) {
    return PooledDatabase.jdbcUrl(database, port());
  }

  /** Collects the settings of a pooler. */
  interface Builder {

    /**
     * Sets one setting, as in {@code pgbouncer.ini}. Default: PgBouncer's own, except {@code
     * pool_mode} transaction, 20 server connections per database, and what the Postgres driver
     * needs ({@code ignore_startup_parameters}).
     */
    Builder setting(String name, String value);

    /** Starts a pooler and returns when clients can connect. */
    PgBouncer start();
  }
}
