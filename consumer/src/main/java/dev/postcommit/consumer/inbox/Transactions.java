package dev.postcommit.consumer.inbox;

import java.sql.Connection;
import javax.sql.DataSource;

/** Runs work in transactions of one database. Safe for use by many threads. */
@FunctionalInterface
public interface Transactions {

  /**
   * Runs {@code work} in a new transaction and commits it. If the work throws, the transaction is
   * rolled back, and the same exception is thrown again.
   */
  void run(Work work) throws Exception;

  /** Transactions on connections of a data source. */
  static Transactions of(DataSource dataSource) {
    return new JdbcTransactions(dataSource);
  }

  /** Work to do in one transaction. */
  @FunctionalInterface
  interface Work {

    /** Does the work on the transaction's connection, and must not commit or close it. */
    void in(Connection tx) throws Exception;
  }
}
