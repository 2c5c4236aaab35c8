package dev.postcommit.testkit.postgres;

import dev.postcommit.testkit.process.ControlledServer;
import java.util.Optional;

/**
 * A real PgBouncer before a {@link PostgresServer}, on a free port of the loopback address.
 *
 * <p>The program is the one that is installed, as by Debian's package {@code pgbouncer}; Maven has
 * none. Server connections are handed out for the length of a transaction unless a setting says
 * otherwise. Clients need no password. Safe for use by many threads.
 */
public interface PgBouncer extends ControlledServer {

  /** Why none can be started here, with what to install; or empty if one can. */
  static Optional<String> missing() {
    return ProcessPgBouncer.missing();
  }

  /** Starts one with the default settings. */
  static PgBouncer start(PostgresServer server) {
    return builder(server).start();
  }

  /** A builder of one with settings of its own. */
  static Builder builder(PostgresServer server) {
    return new ProcessPgBouncer.BuilderImpl(server);
  }

  /** The port it listens on, the same after a {@link #restart()}. */
  int port();

  /** The address of a database of the server, by way of the pooler. */
  default String jdbcUrl(String database) {
    return PooledDatabase.jdbcUrl(database, port());
  }

  /** Collects the settings of a pooler. */
  interface Builder {

    /**
     * Sets one setting, as in {@code pgbouncer.ini}. Default: PgBouncer's own, but for {@code
     * pool_mode} transaction, 20 server connections for each database, and what the driver of
     * Postgres needs ({@code ignore_startup_parameters}).
     */
    Builder setting(String name, String value);

    /** Starts one and returns when it lets clients through. */
    PgBouncer start();
  }
}
