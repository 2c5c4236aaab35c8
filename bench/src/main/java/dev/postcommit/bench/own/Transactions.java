package dev.postcommit.bench.own;

import dev.postcommit.bench.contender.Contender.Body;
import dev.postcommit.bench.contender.Contender.Enqueue;
import java.sql.Connection;
import java.util.function.Function;
import javax.sql.DataSource;

/** Transactions of plain JDBC. */
final class Transactions {
  private Transactions() {}

  /**
   * Runs {@code body} and commits; if it throws, rolls back and throws the same.
   *
   * @param outbox how events are written on the connection of the transaction
   * @param committed is run at once when the database has answered the commit
   */
  static void run(
      DataSource dataSource, Body body, Function<Connection, Enqueue> outbox, Runnable committed)
      throws Exception {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        body.run(connection, outbox.apply(connection));
        connection.commit();
      } catch (Exception e) {
        connection.rollback();
        throw e;
      }
      committed.run();
    }
  }
}
