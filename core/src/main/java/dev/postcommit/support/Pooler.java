package dev.postcommit.support;

import dev.postcommit.internal.jdbc.DriverConnection;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a pooler, such as PgBouncer, is between a data source and the server.
 *
 * <p>A pooler that hands out server connections per transaction may run a statement on another one
 * than it was prepared on. So behind a pooler nothing is prepared on the server over connections
 * that we have used, which is what other users of such a data source need as well.
 *
 * <p>A pooler tells clients a process id that is not the server's. Whoever asks first learns it, by
 * a statement that is sent once for each data source.
 */
public final class Pooler {
  private static final Logger log = LoggerFactory.getLogger(Pooler.class);

  /** A prepared statement that is not there, one that is there already, a broken protocol. */
  private static final Set<String> TRACES = Set.of("26000", "42P05", "08P01");

  private static final Map<Key, Pooler> KNOWN = new ConcurrentHashMap<>();
  private static final ReferenceQueue<DataSource> GONE = new ReferenceQueue<>();

  /** A data source for as long as it is used; some cannot be compared before they are connected. */
  private static final class Key extends WeakReference<DataSource> {
    private final int hash;

    Key(DataSource dataSource) {
      super(dataSource, GONE);
      hash = System.identityHashCode(dataSource);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the same, not an equal one
    public boolean equals(@Nullable Object other) {
      @Nullable DataSource mine = get();
      return this == other || (mine != null && other instanceof Key key && key.get() == mine);
    }
  }

  private volatile @Nullable Boolean stands;

  private Pooler() {}

  /** What is known of the pooler of a data source. */
  public static Pooler of(DataSource dataSource) {
    for (Object gone = GONE.poll(); gone != null; gone = GONE.poll()) {
      KNOWN.remove((Key) gone);
    }
    return KNOWN.computeIfAbsent(new Key(dataSource), added -> new Pooler());
  }

  /** Whether there is one, as far as is known. */
  public boolean stands() {
    return Boolean.TRUE.equals(stands);
  }

  /** Makes a connection of the data source fit for our statements, before the first of them. */
  public void prepare(Connection connection) throws SQLException {
    if (stands == null) {
      probe(connection);
    }
    if (stands()) {
      @Nullable DriverConnection driver = DriverConnection.of(connection);
      if (driver != null && driver.prepareThreshold() != 0) {
        driver.setPrepareThreshold(0);
        forgetStatements(connection);
      }
    }
  }

  /**
   * Refuses to change the isolation of a session's transactions behind a pooler: it would be
   * changed for whoever gets the server's connection next, and not for us.
   */
  public void requireReadCommitted() throws SQLException {
    if (stands()) {
      throw new SQLException(
          "transactions have to be READ COMMITTED, and behind a pooler a client cannot see to that;"
              + " run ALTER ROLE … SET default_transaction_isolation = 'read committed', and leave"
              + " the isolation out of the settings of the connection pool");
    }
  }

  /** A statement failed: it may be the pooler that could not be seen before. */
  public void failed(SQLException failure) {
    if (!stands() && TRACES.contains(String.valueOf(failure.getSQLState()))) {
      stands = true;
      log.warn(
          "statements are no longer prepared on the server: a pooler seems to run them on other"
              + " connections than they were prepared on ({})",
          failure.getMessage());
    }
  }

  private synchronized void probe(Connection connection) throws SQLException {
    if (stands != null) {
      return;
    }
    @Nullable DriverConnection driver = DriverConnection.of(connection);
    if (driver == null) {
      stands = false;
      return;
    }
    int told = driver.backendPid();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid() AS pid")) {
      row.next();
      int actual = row.getInt("pid");
      stands = told != actual;
      if (told != actual) {
        log.info(
            "there is a pooler before {}: statements are not prepared on the server",
            connection.getMetaData().getURL().replaceFirst("\\?.*", ""));
      }
    }
  }

  /**
   * Makes the driver forget what it has prepared over a connection so far, be it a COMMIT: it would
   * go on using that, whatever the threshold.
   */
  private static void forgetStatements(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("DEALLOCATE ALL");
    }
  }
}
