package dev.postcommit.consumer.inbox;

import dev.postcommit.support.Pooler;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Transactions on connections of a data source. */
final class JdbcTransactions implements Transactions {
  private static final Logger log = LoggerFactory.getLogger(JdbcTransactions.class);

  private final DataSource dataSource;

  JdbcTransactions(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  @Override
  public void run(Work work) throws Exception {
    try (Connection tx = dataSource.getConnection()) {
      Pooler.of(dataSource).prepare(tx);
      tx.setAutoCommit(false);
      boolean committed = false;
      try {
        work.in(tx);
        tx.commit();
        committed = true;
      } finally {
        if (!committed) {
          rollback(tx);
        }
      }
    }
  }

  private static void rollback(Connection tx) {
    try {
      tx.rollback();
    } catch (SQLException e) {
      log.debug("a connection was lost", e);
    }
  }
}
