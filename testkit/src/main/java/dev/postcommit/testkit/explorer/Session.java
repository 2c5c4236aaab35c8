package dev.postcommit.testkit.explorer;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A session of Postgres.
 *
 * @param pid its process
 * @param isEnded whether its process was ended, which its connection need not have noticed
 */
record Session(Connection connection, int pid, AtomicBoolean isEnded) {

  static Session open(String url, String user) throws SQLException {
    Connection connection = java.sql.DriverManager.getConnection(url, user, "");
    try {
      Class<?> type = Class.forName("org.postgresql.PGConnection");
      Method pid = type.getMethod("getBackendPID");
      return new Session(connection, (Integer) pid.invoke(connection.unwrap(type)), new AtomicBoolean());
    } catch (ReflectiveOperationException e) {
      connection.close();
      throw new SQLException("the driver does not tell the process of its session", e);
    }
  }

  void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      // It is gone already.
    }
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
