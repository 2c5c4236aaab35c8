package dev.postcommit.testkit.explorer.gate;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Base class of data sources without settings. */
public abstract class Connections implements DataSource {

  @Override
  public final Connection getConnection(String username, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public final <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("not a wrapper for " + type);
  }

  @Override
  public final boolean isWrapperFor(Class<?> type) {
    return false;
  }

  @Override
  public final @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public final void setLogWriter(@Nullable PrintWriter out) {}

  @Override
  public final void setLoginTimeout(int seconds) {}

  @Override
  public final int getLoginTimeout() {
    return 0;
  }

  @Override
  public final Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }
}
