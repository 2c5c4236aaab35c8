package dev.postcommit.server.relay;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections for a pool, and does not give up while the database cannot be reached.
 *
 * <p>A pool that sees a connection fail waits before it opens the next, up to five seconds, and so
 * does everyone who waits for the pool: after an outage they would be the last to notice that the
 * database is back. So the pool does not see it. Those who wait for a connection get their timeout
 * from the pool and the {@linkplain #lastFailure reason} from here.
 */
final class RetryingDataSource implements DataSource {
  private static final Duration PAUSE = Duration.ofMillis(200);

  /** How the SQLSTATEs begin of servers that are not there, or are starting or stopping. */
  private static final List<String> AWAY = List.of("08", "57P");

  private final String url;
  private final Properties properties;
  private volatile @Nullable SQLException lastFailure;

  RetryingDataSource(String url, Properties properties) {
    this.url = url;
    this.properties = properties;
  }

  @Override
  public Connection getConnection() throws SQLException {
    while (true) {
      try {
        Connection connection = DriverManager.getConnection(url, properties);
        lastFailure = null;
        return connection;
      } catch (SQLException e) {
        lastFailure = e;
        if (!isAway(e)) {
          throw e;
        }
        pause(e);
      }
    }
  }

  /** Why the last connection could not be opened, if it could not. */
  Optional<SQLException> lastFailure() {
    return Optional.ofNullable(lastFailure);
  }

  private static boolean isAway(SQLException e) {
    return AWAY.stream().anyMatch(String.valueOf(e.getSQLState())::startsWith);
  }

  private static void pause(SQLException failure) throws SQLException {
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException e) {
      // The pool is closed.
      Thread.currentThread().interrupt();
      throw failure;
    }
  }

  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("there is one user");
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    throw new SQLFeatureNotSupportedException("there is no log writer");
  }

  /** Is a property of connections. */
  @Override
  public void setLoginTimeout(int seconds) {
    properties.setProperty("loginTimeout", Integer.toString(seconds));
  }

  @Override
  public int getLoginTimeout() {
    return Integer.parseInt(properties.getProperty("loginTimeout", "0"));
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("there is no logger");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("nothing is wrapped");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
