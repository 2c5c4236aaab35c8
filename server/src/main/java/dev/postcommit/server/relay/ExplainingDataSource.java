package dev.postcommit.server.relay;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/** A pool that reports why there is no connection, not just that waiting for one timed out. */
final class ExplainingDataSource extends SimpleDataSource {
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
}
