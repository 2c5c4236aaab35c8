package dev.postcommit.internal.store;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.DriverConnection;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.support.Daemons;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A database session that ends when this process does, so that other relays can tell at once that
 * it is gone. All relays of a process on one data source share it. Safe for use by many threads.
 *
 * <p>It is one connection of the data source, kept for as long as a relay runs. Behind a pooler a
 * connection says nothing about a server's session, so there is none.
 */
public final class RelaySession implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RelaySession.class);

  /**
   * The server process of a session.
   *
   * @param serverStartedAt when the server was started that it belongs to: on another one, or after
   *     a restart, that there is no such process proves nothing
   */
  public record Backend(int pid, OffsetDateTime startedAt, OffsetDateTime serverStartedAt) {}

  private static final NamedSql BACKEND =
      NamedSql.of(
          """
          SELECT pid, backend_start, pg_postmaster_start_time() AS server_start
          FROM pg_stat_activity WHERE pid = pg_backend_pid()""");

  private static final int ANSWER_SECONDS = 5;

  /** How long a pool may take to give a second connection. */
  private static final Duration SPARE = Duration.ofSeconds(5);

  /** Guarded by itself. */
  private static final IdentityHashMap<DataSource, RelaySession> SHARED = new IdentityHashMap<>();

  private final DataSource dataSource;
  private int users;
  private @Nullable Connection connection;
  private @Nullable Backend backend;
  private boolean isUnusable;

  /** Whether the pool has given another connection besides one of these sessions. */
  private boolean hasSpare;

  private volatile boolean closed;

  /** Held while the connection is in use. */
  private final ReentrantLock using = new ReentrantLock();

  private RelaySession(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** The session of a data source, to be closed by each user; no I/O yet. */
  public static RelaySession of(DataSource dataSource) {
    synchronized (SHARED) {
      RelaySession session = SHARED.computeIfAbsent(dataSource, RelaySession::new);
      session.users++;
      return session;
    }
  }

  /**
   * Asks whether the session is still there, and opens another if it is not.
   *
   * @return its server process, or nothing if a session would say nothing about this process
   * @throws SQLException if there is none now
   */
  public Optional<Backend> check() throws SQLException {
    using.lock();
    try {
      return checkOpen();
    } finally {
      using.unlock();
      dropIfClosed();
    }
  }

  private Optional<Backend> checkOpen() throws SQLException {
    if (isUnusable || closed) {
      return Optional.empty();
    }
    if (connection != null && !connection.isValid(ANSWER_SECONDS)) {
      drop();
    }
    if (connection == null) {
      open();
    }
    return Optional.ofNullable(backend);
  }

  private void open() throws SQLException {
    Connection opened = dataSource.getConnection();
    connection = opened;
    try {
      opened.setAutoCommit(true);
      backend = read(opened);
      if (backend == null) {
        isUnusable = true;
        drop();
      } else {
        requireAnother();
      }
    } catch (SQLException | RuntimeException e) {
      drop();
      throw e;
    }
  }

  /** Its own process, unless the driver knows it by another number: then it is a pooler's. */
  private static @Nullable Backend read(Connection connection) throws SQLException {
    @Nullable DriverConnection driver = DriverConnection.of(connection);
    if (driver == null) {
      return null;
    }
    int known = driver.backendPid();
    return BACKEND
        .run(
            connection,
            to ->
                to.optionalRow(
                    row ->
                        new Backend(
                            row.getInt("pid"),
                            row.getObject("backend_start", OffsetDateTime.class),
                            row.getObject("server_start", OffsetDateTime.class))))
        .filter(found -> found.pid() == known)
        .orElse(null);
  }

  /**
   * Goes without a session if it would take the last connection that relays can have. The first
   * session tells: a pool that has none to spare later is busy, as it may be after an outage.
   */
  private void requireAnother() throws SQLException {
    if (hasSpare) {
      return;
    }
    hasSpare = canHaveAnother();
    if (!hasSpare) {
      isUnusable = true;
      drop();
      log.warn(
          "the connection pool of the relay has no connection to spare: if this process dies, others"
              + " wait for the end of its leases, and it waits for that of theirs; allow the pool"
              + " one more");
    }
  }

  /** Whether there is another connection within seconds; a pool may be asked for very long. */
  private boolean canHaveAnother() throws SQLException {
    FutureTask<Boolean> getting =
        new FutureTask<>(
            () -> {
              dataSource.getConnection().close();
              return true;
            });
    Daemons.named("postcommit-session").newThread(getting).start();
    try {
      return getting.get(SPARE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SQLTransientConnectionException) {
        return false;
      }
      throw e.getCause() instanceof SQLException cause ? cause : new SQLException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted", e);
    }
  }

  /** Runs work over the session, if it is there. */
  <T> Optional<T> run(Database.Work<T> work) throws SQLException {
    using.lock();
    try {
      return connection == null ? Optional.empty() : Optional.of(work.on(connection));
    } finally {
      using.unlock();
      dropIfClosed();
    }
  }

  private void drop() {
    @Nullable Connection dropped = connection;
    connection = null;
    backend = null;
    if (dropped != null) {
      try {
        dropped.close();
      } catch (SQLException e) {
        log.debug("could not close a session", e);
      }
    }
  }

  @Override
  public void close() {
    synchronized (SHARED) {
      users--;
      if (users > 0) {
        return;
      }
      SHARED.remove(dataSource);
    }
    closed = true;
    dropIfClosed();
  }

  /** Closes the connection if it is not in use; otherwise its user does when done. */
  private void dropIfClosed() {
    if (closed && using.tryLock()) {
      try {
        drop();
      } finally {
        using.unlock();
      }
    }
  }
}
