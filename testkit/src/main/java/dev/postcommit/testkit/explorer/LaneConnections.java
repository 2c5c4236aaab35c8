package dev.postcommit.testkit.explorer;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a relay that several actors play: each uses those of its own. What the relay
 * does from threads of its own, besides, is not watched.
 */
final class LaneConnections implements DataSource {
  private final DataSource others;
  private final Map<Thread, DataSource> lanes = new ConcurrentHashMap<>();

  /**
   * Connections of actors to come.
   *
   * @param others those of all threads that are no actor's
   */
  LaneConnections(DataSource others) {
    this.others = others;
  }

  /** From here on, the current thread is an actor that has these connections. */
  void enter(DataSource connections) {
    lanes.put(Thread.currentThread(), connections);
  }

  @Override
  public Connection getConnection() throws SQLException {
    return lanes.getOrDefault(Thread.currentThread(), others).getConnection();
  }

  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("not a wrapper for " + type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }
}
