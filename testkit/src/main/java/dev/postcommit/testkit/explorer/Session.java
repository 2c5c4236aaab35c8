package dev.postcommit.testkit.explorer;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/**
 * A session of Postgres.
 *
 * @param pid its process
 */
record Session(Connection connection, int pid) {

  static Session open(String url, String user) throws SQLException {
    Properties settings = new Properties();
    settings.setProperty("user", user);
    settings.setProperty("password", "");
    // Statements are planned once, and not at each of the first few times.
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
