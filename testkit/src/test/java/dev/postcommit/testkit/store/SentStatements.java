package dev.postcommit.testkit.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** Data sources that take down, or replace, the statements that are prepared over them. */
final class SentStatements {
  private SentStatements() {}

  private interface After {
    Object call(String name, Object[] arguments, Object result) throws SQLException;
  }

  /** Like {@code target}, with each statement added to {@code statements}. */
  static DataSource of(DataSource target, List<String> statements) {
    return proxy(
        DataSource.class,
        target,
        (name, arguments, result) ->
            result instanceof Connection connection
                ? proxy(
                    Connection.class,
                    connection,
                    (method, values, value) -> {
                      if (method.equals("prepareStatement")) {
                        statements.add((String) values[0]);
                      }
                      return value;
                    })
                : result);
  }

  /** Like {@code target}, with each statement replaced before it is prepared. */
  static DataSource rewriting(DataSource target, UnaryOperator<String> replaced) {
    return proxy(
        DataSource.class,
        target,
        (name, arguments, result) ->
            result instanceof Connection connection
                ? (Connection)
                    Proxy.newProxyInstance(
                        Connection.class.getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (proxy, method, values) -> {
                          if (method.getName().equals("prepareStatement")) {
                            values[0] = replaced.apply((String) values[0]);
                          }
                          try {
                            return method.invoke(connection, values);
                          } catch (InvocationTargetException e) {
                            throw e.getCause();
                          }
                        })
                : result);
  }

  private static <T> T proxy(Class<T> type, T target, After after) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return after.call(method.getName(), arguments, method.invoke(target, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
