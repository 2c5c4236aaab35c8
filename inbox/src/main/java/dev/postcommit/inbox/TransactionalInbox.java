package dev.postcommit.inbox;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Marks and handles many events in one transaction.
 *
 * <p>The mark comes first, and is look-up and lock in one: it tells which of the events are new,
 * and whoever else is given one of them waits until this transaction has ended. If all goes well,
 * that is one statement and one commit for the whole batch.
 *
 * <p>If a handler fails, everything is rolled back. The events before the failed one, which have
 * succeeded once, are handled again in a transaction of their own, and then the ones after it: so a
 * handler runs at most once more than it has to. If the fault cannot be told from the batch (the
 * commit failed, one of many events is being handled by another, transactions were in each other's
 * way), each event gets a transaction of its own.
 */
final class TransactionalInbox extends Inbox {
  private final JdbcIdempotencyStore store;
  private final Transactions transactions;

  TransactionalInbox(JdbcIdempotencyStore store, Transactions transactions) {
    this.store = store;
    this.transactions = transactions;
  }

  @Override
  void check(String consumer) {
    if (!store.consumer().equals(consumer)) {
      throw new IllegalArgumentException(
          "the store's table is that of consumer %s, not of %s; give each consumer a table of its own"
              .formatted(store.consumer(), consumer));
    }
  }

  @Override
  boolean isTransactional() {
    return true;
  }

  @Override
  @Nullable String problem(String eventId) {
    return store.problem(eventId);
  }

  @Override
  void handle(List<Task> tasks, Round round) {
    Deque<List<Task>> batches = new ArrayDeque<>();
    batches.add(tasks);
    while (!batches.isEmpty()) {
      List<Task> batch = batches.remove().stream().filter(round::mayStart).toList();
      if (!batch.isEmpty()) {
        handle(batch, round, batches);
      }
    }
  }

  /** Handles a batch, or puts smaller ones in its place. */
  private void handle(List<Task> batch, Round round, Deque<List<Task>> batches) {
    Pass pass = new Pass(store, batch, round);
    Throwable error = pass.run(transactions);
    if (error == null) {
      round.available();
      pass.succeed();
    } else if (pass.isUnavailable(error)) {
      batches.clear();
      round.unavailable(batch, "the database cannot be used: " + Verdicts.text(error));
    } else {
      round.available();
      divide(batch, pass.failed(), error, round, batches);
    }
  }

  private static void divide(
      List<Task> batch,
      @Nullable Task failed,
      Throwable error,
      Round round,
      Deque<List<Task>> batches) {
    boolean contention = Trouble.isContention(error);
    if (batch.size() > 1 && (failed == null || contention)) {
      for (int i = batch.size() - 1; i >= 0; i--) {
        batches.addFirst(List.of(batch.get(i)));
      }
    } else if (failed == null && contention) {
      round.inProgress(batch.get(0));
    } else {
      Task culprit = failed == null ? batch.get(0) : failed;
      round.failed(culprit, error);
      int at = batch.indexOf(culprit);
      batches.addFirst(batch.subList(at + 1, batch.size()));
      batches.addFirst(batch.subList(0, at));
    }
  }

  @Override
  long prune() {
    return store.prune();
  }
}
