package dev.postcommit.spring.internal;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Knows whether a transaction is committed, and runs actions then.
 *
 * <p>Code that Spring runs after a commit still sees an active transaction, but its writes are in
 * no transaction any more, or lost.
 */
public final class CommitWatch implements TransactionSynchronization {

  /** Watches each transaction of a manager from its beginning. */
  public static final TransactionExecutionListener EVERY_TRANSACTION =
      new TransactionExecutionListener() {
        @Override
        public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
          if (failure == null && TransactionSynchronizationManager.isSynchronizationActive()) {
            current().bound =
                List.copyOf(TransactionSynchronizationManager.getResourceMap().values());
          }
        }
      };

  private final Set<Runnable> actions = new LinkedHashSet<>();
  private @Nullable List<Object> bound;
  private boolean committed;

  private CommitWatch() {}

  /** The watch of the current transaction, whose synchronization is active. */
  static CommitWatch current() {
    for (TransactionSynchronization other :
        TransactionSynchronizationManager.getSynchronizations()) {
      if (other instanceof CommitWatch watch) {
        return watch;
      }
    }
    CommitWatch watch = new CommitWatch();
    TransactionSynchronizationManager.registerSynchronization(watch);
    return watch;
  }

  /**
   * Whether the transaction is one of this data source. A connection that was bound after the
   * transaction began is used beside it; nothing commits it if the pool has auto-commit off. Of a
   * manager that is no bean it is not known what was bound when.
   */
  boolean isOf(DataSource dataSource) {
    @Nullable Object resource = TransactionSynchronizationManager.getResource(dataSource);
    return resource != null && (bound == null || bound.contains(resource));
  }

  boolean isCommitted() {
    return committed;
  }

  /** Runs an action once after the commit, but not after a rollback. */
  public void afterCommit(Runnable action) {
    actions.add(action);
  }

  @Override
  public void afterCommit() {
    committed = true;
    actions.forEach(Runnable::run);
  }

  /** Runs before all others, so that they see that the transaction is over. */
  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }
}
