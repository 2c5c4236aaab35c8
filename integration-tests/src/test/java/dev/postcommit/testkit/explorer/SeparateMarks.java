package dev.postcommit.testkit.explorer;

import dev.postcommit.consumer.inbox.Transactions;
import dev.postcommit.testkit.jdbc.JdbcProxy;
import java.sql.Connection;
import javax.sql.DataSource;

/** Transactions of handlers that leave the mark out: it is committed at once, on its own. */
final class SeparateMarks {
  private SeparateMarks() {}

  static Transactions of(DataSource database) {
    Transactions whole = Transactions.of(database);
    return work ->
        whole.run(
            tx -> {
              try (Connection other = database.getConnection()) {
                other.setAutoCommit(true);
                work.in(
                    JdbcProxy.of(
                        Connection.class,
                        (method, arguments) ->
                            JdbcProxy.call(isMark(arguments) ? other : tx, method, arguments)));
              }
            });
  }

  private static boolean isMark(Object[] arguments) {
    return arguments != null
        && arguments.length > 0
        && arguments[0] instanceof String sql
        && sql.contains("INSERT INTO \"processed_events\"");
  }
}
