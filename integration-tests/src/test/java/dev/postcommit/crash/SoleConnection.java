package dev.postcommit.crash;

import dev.postcommit.testkit.postgres.PostgresServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One connection for one thread, used again and again. A pool tries less and less often to open
 * connections while the database is away, and its users would be late when it is back.
 */
final class SoleConnection implements AutoCloseable {
  private final PostgresServer postgres;
  private @Nullable Connection connection;

  SoleConnection(PostgresServer postgres) {
    this.postgres = postgres;
  }

  DataSource dataSource() {
    return proxy(
        DataSource.class,
        (method, arguments) -> {
          if (method.getName().equals("getConnection")) {
            return lent();
          }
          throw new UnsupportedOperationException(method.getName());
        });
  }

  /** What its user closes stays open for the next. */
  private Connection lent() throws SQLException {
    if (connection == null || connection.isClosed()) {
      connection = DriverManager.getConnection(postgres.jdbcUrl(), postgres.username(), "");
    }
    Connection lent = connection;
    return proxy(
        Connection.class,
        (method, arguments) -> {
          if (!method.getName().equals("close")) {
            return method.invoke(lent, arguments);
          }
          if (!lent.isClosed() && !lent.getAutoCommit()) {
            lent.rollback();
            lent.setAutoCommit(true);
          }
          return null;
        });
  }

  /** What a call does. */
  private interface Call {
    @Nullable Object of(Method method, Object @Nullable [] arguments) throws Exception;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              try {
                return call.of(method, arguments);
              } catch (InvocationTargetException e) {
                throw Objects.requireNonNull(e.getCause());
              }
            }));
  }

  @Override
  public void close() {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
