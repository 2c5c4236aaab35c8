package dev.postcommit.consumer.inbox;

import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Transactions that Spring manages. What a handler does through Spring, by JDBC or JPA, is part of
 * them.
 *
 * <pre>{@code
 * Inbox.transactional(store, new SpringTransactions(transactionManager, dataSource))
 * }</pre>
 */
public final class SpringTransactions implements Transactions {

  /** Carries a checked exception through a callback that may throw none. */
  private static final class Carrier extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final Exception carried;

    Carrier(Exception carried) {
      super(carried);
      this.carried = carried;
    }
  }

  private final TransactionTemplate template;
  private final DataSource dataSource;

  /**
   * New transactions of a transaction manager.
   *
   * @param manager of the data source, or of JPA on it
   * @param dataSource the data source that {@code manager} binds to its transactions
   */
  public SpringTransactions(PlatformTransactionManager manager, DataSource dataSource) {
    this.template = new TransactionTemplate(manager);
    this.template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    this.dataSource = target(dataSource);
  }

  /** Transaction managers bind transactions to the target of a transaction-aware proxy. */
  private static DataSource target(DataSource dataSource) {
    return dataSource instanceof TransactionAwareDataSourceProxy proxy
            && proxy.getTargetDataSource() != null
        ? target(proxy.getTargetDataSource())
        : dataSource;
  }

  @Override
  public void run(Work work) throws Exception {
    try {
      template.executeWithoutResult(status -> join(work));
    } catch (Carrier e) {
      throw e.carried;
    }
  }

  private void join(Work work) {
    // Otherwise a pool with auto-commit off would hand out a connection that nothing commits.
    if (!TransactionSynchronizationManager.hasResource(dataSource)) {
      throw ofAnother();
    }
    Connection tx = DataSourceUtils.getConnection(dataSource);
    try {
      // Otherwise the mark would be committed on its own.
      if (tx.getAutoCommit()) {
        throw ofAnother();
      }
      work.in(tx);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new Carrier(e);
    } finally {
      DataSourceUtils.releaseConnection(tx, dataSource);
    }
  }

  private static IllegalStateException ofAnother() {
    return new IllegalStateException(
        "the transaction manager has no transaction on the data source it was given with; give both"
            + " the same data source");
  }
}
