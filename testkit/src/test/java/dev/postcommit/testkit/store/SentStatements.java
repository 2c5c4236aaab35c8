package dev.postcommit.testkit.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** Data sources that take down which statements are prepared over them. */
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
