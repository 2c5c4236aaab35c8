package dev.postcommit.internal.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What the Postgres driver tells of a connection besides JDBC. It is asked by reflection, so that
 * nothing here depends on a driver or on its version.
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

  /** The process of the session, as the driver was told when it connected. */
  public int backendPid() throws SQLException {
    return (Integer) call("getBackendPID");
  }

  /** After how many uses a statement is prepared on the server; 0 for never. */
  public int prepareThreshold() throws SQLException {
    return (Integer) call("getPrepareThreshold");
  }

  public void setPrepareThreshold(int threshold) throws SQLException {
    try {
      method("setPrepareThreshold", int.class).invoke(connection, threshold);
    } catch (ReflectiveOperationException e) {
      throw failure(e);
    }
  }

  private Object call(String name) throws SQLException {
    try {
      return method(name).invoke(connection);
    } catch (ReflectiveOperationException e) {
      throw failure(e);
    }
  }

  private static Method method(String name, Class<?>... parameters) throws NoSuchMethodException {
    if (TYPE == null) {
      throw new IllegalStateException("there is no Postgres driver");
    }
    return TYPE.getMethod(name, parameters);
  }

  private static SQLException failure(ReflectiveOperationException e) {
    return e instanceof InvocationTargetException && e.getCause() instanceof SQLException cause
        ? cause
        : new SQLException("the Postgres driver does not tell of its connection", e);
  }
}
