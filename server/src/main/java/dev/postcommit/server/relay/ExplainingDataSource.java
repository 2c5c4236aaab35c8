package dev.postcommit.server.relay;

import com.zaxxer.hikari.HikariDataSource;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * A pool that says why there is no connection, where the pool itself would say only that waiting
 * for one timed out.
 */
final class ExplainingDataSource implements DataSource {
  private final HikariDataSource pool;

  ExplainingDataSource(HikariDataSource pool) {
    this.pool = pool;
  }

  @Override
  public Connection getConnection() throws SQLException {
    try {
      return pool.getConnection();
    } catch (SQLTransientConnectionException e) {
      throw reason(e);
    }
  }

  private SQLException reason(SQLTransientConnectionException e) {
    if (pool.getDataSource() instanceof RetryingDataSource connections
        && connections.lastFailure().isPresent()) {
      return connections.lastFailure().get();
    }
    return e.getCause() instanceof SQLException cause ? cause : e;
  }

  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("the pool has one user");
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return pool.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    pool.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    pool.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return pool.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return pool.getParentLogger();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return pool.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return pool.isWrapperFor(type);
  }
}
