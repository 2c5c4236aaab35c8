package dev.postcommit.testkit.store;

import dev.postcommit.testkit.jdbc.JdbcProxy;
import java.sql.Connection;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** Data sources that take down, or replace, the statements that are prepared over them. */
final class SentStatements {
  private SentStatements() {}

  /** Like {@code target}, with each statement added to {@code statements}. */
  static DataSource of(DataSource target, List<String> statements) {
    return rewriting(
        target,
        sql -> {
          statements.add(sql);
          return sql;
        });
  }

  /** Like {@code target}, with each statement replaced before it is prepared. */
  static DataSource rewriting(DataSource target, UnaryOperator<String> replaced) {
    return JdbcProxy.of(
        DataSource.class,
        (method, arguments) -> {
          Object result = JdbcProxy.call(target, method, arguments);
          return result instanceof Connection connection ? rewriting(connection, replaced) : result;
        });
  }

  private static Connection rewriting(Connection target, UnaryOperator<String> replaced) {
    return JdbcProxy.of(
        Connection.class,
        (method, arguments) -> {
          if (method.getName().equals("prepareStatement")) {
            arguments[0] = replaced.apply((String) arguments[0]);
          }
          return JdbcProxy.call(target, method, arguments);
        });
  }
}
