package dev.postcommit.spring.test;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.SmartTransactionObject;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Transactions of nothing, with all that Spring does around them: they are joined, suspended and
 * rolled back, and whoever takes part is told of their end.
 */
final class MemoryTransactions extends AbstractPlatformTransactionManager {
  private static final long serialVersionUID = 1L;

  /** One transaction, which participants may mark for rollback. */
  private static final class Transaction implements SmartTransactionObject {
    private boolean rollbackOnly;

    @Override
    public boolean isRollbackOnly() {
      return rollbackOnly;
    }
  }

  @Override
  protected Object doGetTransaction() {
    return TransactionSynchronizationManager.getResource(this) instanceof Transaction current
        ? current
        : new Transaction();
  }

  @Override
  protected boolean isExistingTransaction(Object transaction) {
    return TransactionSynchronizationManager.hasResource(this);
  }

  @Override
  protected void doBegin(Object transaction, TransactionDefinition definition) {
    TransactionSynchronizationManager.bindResource(this, transaction);
  }

  @Override
  protected Object doSuspend(Object transaction) {
    return TransactionSynchronizationManager.unbindResource(this);
  }

  @Override
  protected void doResume(@Nullable Object transaction, Object suspended) {
    TransactionSynchronizationManager.bindResource(this, suspended);
  }

  @Override
  protected void doCommit(DefaultTransactionStatus status) {}

  @Override
  protected void doRollback(DefaultTransactionStatus status) {}

  @Override
  protected void doSetRollbackOnly(DefaultTransactionStatus status) {
    ((Transaction) status.getTransaction()).rollbackOnly = true;
  }

  @Override
  protected void doCleanupAfterCompletion(Object transaction) {
    TransactionSynchronizationManager.unbindResource(this);
  }
}
