package dev.postcommit.spring.internal;

import dev.postcommit.NoTransactionException;
import dev.postcommit.PostcommitException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The transaction that Spring has bound to the current thread, if events can be written in it. */
public final class CurrentTransaction {
  private final @Nullable DataSource dataSource;

  private CurrentTransaction(@Nullable DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** Only transactions of this data source. */
  public static CurrentTransaction of(DataSource dataSource) {
    return new CurrentTransaction(target(dataSource));
  }

  /** Transactions of any resource, for applications without a data source. */
  public static CurrentTransaction ofAnything() {
    return new CurrentTransaction(null);
  }

  /** Transaction managers bind transactions to the target of a transaction-aware proxy. */
  public static DataSource target(DataSource dataSource) {
    return dataSource instanceof TransactionAwareDataSourceProxy proxy
            && proxy.getTargetDataSource() != null
        ? target(proxy.getTargetDataSource())
        : dataSource;
  }

  /**
   * Requires that an event could be written now. Takes no connection from a pool.
   *
   * @return what is known of the transaction's end
   */
  public CommitWatch require() {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      throw new NoTransactionException(
          "there is no transaction, so the event would not share one with your rows; enqueue in a"
              + " method that is @Transactional and called through its bean, or in a"
              + " TransactionTemplate");
    }
    @Nullable CommitWatch watch =
        TransactionSynchronizationManager.isSynchronizationActive() ? CommitWatch.current() : null;
    if (watch == null || watch.isCommitted()) {
      throw new NoTransactionException(
          "the transaction is over, so the event would not be part of it; enqueue before it"
              + " commits, or in a transaction of its own (REQUIRES_NEW)");
    }
    if (dataSource != null && !watch.isOf(dataSource)) {
      throw ofAnother();
    }
    if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
      throw new NoTransactionException(
          "the current transaction is read-only, so no event can be written in it; leave readOnly"
              + " out where the transaction begins");
    }
    return watch;
  }

  /** Runs something on the connection of the transaction, which must belong to a data source. */
  public <T> T join(DataSource source, Function<Connection, T> work) {
    Connection tx = DataSourceUtils.getConnection(source);
    try {
      // A connection that is used outside the transaction of another data source.
      if (tx.getAutoCommit()) {
        throw ofAnother();
      }
      return work.apply(tx);
    } catch (SQLException e) {
      throw new PostcommitException(
          "the connection of the current transaction cannot be used: " + e.getMessage(), e);
    } finally {
      DataSourceUtils.releaseConnection(tx, source);
    }
  }

  private static NoTransactionException ofAnother() {
    return new NoTransactionException(
        "the current transaction is not one of the outbox's data source, so the event would not be"
            + " part of it; name the transaction manager of that data source at @Transactional, or"
            + " set postcommit.data-source to the data source of this transaction");
  }
}
