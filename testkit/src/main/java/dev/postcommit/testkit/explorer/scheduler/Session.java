package dev.postcommit.testkit.explorer.scheduler;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** A session of Postgres. */
public final class Session {
  private final Connection connection;
  private final int pid;
  private volatile boolean isEnded;

  private Session(Connection connection, int pid) {
    this.connection = connection;
    this.pid = pid;
  }

  public static Session open(String url, String user) throws SQLException {
    Properties settings = new Properties();
    settings.setProperty("user", user);
    settings.setProperty("password", "");
    // Plan each statement once, not again for each of the first executions.
    settings.setProperty("prepareThreshold", "1");
    Connection connection = DriverManager.getConnection(url, settings);
    try {
      Class<?> type = Class.forName("org.postgresql.PGConnection");
      Method pid = type.getMethod("getBackendPID");
      return new Session(connection, (Integer) pid.invoke(connection.unwrap(type)));
    } catch (ReflectiveOperationException e) {
      connection.close();
      throw new SQLException("the driver does not tell the process of its session", e);
    }
  }

  public Connection connection() {
    return connection;
  }

  /** The process id of its backend. */
  int pid() {
    return pid;
  }

  /** Whether the server has ended it or is about to, which the driver does not know. */
  void ended() {
    isEnded = true;
  }

  boolean hasEnded() {
    return isEnded;
  }

  /** Returns whether it can be used in the next run. */
  public boolean isUsable() throws SQLException {
    return !isEnded && !connection.isClosed();
  }

  void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      // It has already ended.
    }
  }
}
