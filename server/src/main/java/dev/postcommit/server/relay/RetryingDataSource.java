package dev.postcommit.server.relay;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections for a pool, and keeps trying while the database cannot be reached.
 *
 * <p>When a connection fails, the pool waits up to five seconds before it opens the next one, so
 * after an outage its clients would be late to notice that the database is back. This class hides
 * such failures from the pool. Clients get their timeout from the pool, and the {@linkplain
 * #lastFailure reason} from here.
 */
final class RetryingDataSource extends SimpleDataSource {
  private static final Duration PAUSE = Duration.ofMillis(200);

  /** Prefixes of the SQLSTATEs of servers that are unreachable, starting or stopping. */
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

  /** The driver takes it as a property. */
  @Override
  public void setLoginTimeout(int seconds) {
    properties.setProperty("loginTimeout", Integer.toString(seconds));
  }

  @Override
  public int getLoginTimeout() {
    return Integer.parseInt(properties.getProperty("loginTimeout", "0"));
  }
}
