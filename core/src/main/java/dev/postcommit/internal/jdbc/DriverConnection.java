package dev.postcommit.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the Postgres driver offers for a connection besides JDBC. It is called by reflection, so
 * that nothing here depends on a driver or on its version.
 */
public final class DriverConnection {
  private static final @Nullable Class<?> TYPE = type();

  private final Object connection;

  private DriverConnection(Object connection) {
    this.connection = connection;
  }

  /** The driver's own view of a connection, or null if it is another driver's. */
  public static @Nullable DriverConnection of(Connection connection) throws SQLException {
    return TYPE != null && connection.isWrapperFor(TYPE)
        ? new DriverConnection(connection.unwrap(TYPE))
        : null;
  }

  private static @Nullable Class<?> type() {
    try {
      return Class.forName(
          "org.postgresql.PGConnection", false, DriverConnection.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** The process of the session, as the server reported it when the driver connected. */
  public int backendPid() throws SQLException {
    return (Integer) call("getBackendPID");
  }

  /** After how many uses a statement is prepared on the server; 0 for never. */
  public int prepareThreshold() throws SQLException {
    return (Integer) call("getPrepareThreshold");
  }

  public void setPrepareThreshold(int threshold) throws SQLException {
    call("setPrepareThreshold", threshold);
  }

  /** Calls a method whose parameters are all of type int. */
  private Object call(String name, Integer... arguments) throws SQLException {
    Class<?>[] types = new Class<?>[arguments.length];
    Arrays.fill(types, int.class);
    try {
      return Objects.requireNonNull(TYPE)
          .getMethod(name, types)
          .invoke(connection, (Object[]) arguments);
    } catch (ReflectiveOperationException e) {
      throw e.getCause() instanceof SQLException cause
          ? cause
          : new SQLException("the Postgres driver does not tell of its connection", e);
    }
  }
}
