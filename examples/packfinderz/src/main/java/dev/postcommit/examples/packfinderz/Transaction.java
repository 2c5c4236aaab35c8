package dev.postcommit.examples.packfinderz;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Runs work in a transaction, as the API of a service would. */
final class Transaction {

  /** What is done in a transaction. */
  @FunctionalInterface
  interface Work<T> {
    T in(Connection tx) throws SQLException;
  }

  private Transaction() {}

  /** Commits if the work returns, and rolls back if it throws. */
  static <T> T run(DataSource dataSource, Work<T> work) throws SQLException {
    try (Connection tx = dataSource.getConnection()) {
      tx.setAutoCommit(false);
      try {
        T result = work.in(tx);
        tx.commit();
        return result;
      } catch (SQLException | RuntimeException e) {
        tx.rollback();
        throw e;
      }
    }
  }
}
