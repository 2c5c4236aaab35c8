package dev.postcommit.consumer;

import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.consumer.inbox.Transactions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks and handles many events in one transaction.
 *
 * <p>The mark comes first, and is both look-up and lock: it tells which events are new, and anyone
 * else who is given one of them waits until this transaction has ended. If all goes well, a whole
 * batch costs one statement and one commit.
 *
 * <p>If a handler fails, everything is rolled back. The events before the failed one, which have
 * succeeded once, are handled again in a transaction of their own, and then the ones after it. So a
 * handler runs at most once more than necessary. If the failure cannot be attributed to one event
 * (the commit failed, an event of the batch is being handled elsewhere, transactions conflicted),
 * each event gets a transaction of its own.
 *
 * <p>A failure that looks like an outage of the database makes all events wait. {@link
 * SuspectedOutages} describes what happens to an event that keeps failing that way.
 *
 * <p>An event that is marked in another open transaction is contended from then on and handled
 * alone, so that no other event waits for it.
 */
final class TransactionalInbox extends InboxStrategy {
  private static final Logger log = LoggerFactory.getLogger(TransactionalInbox.class);

  private final JdbcIdempotencyStore store;
  private final Transactions transactions;
  private final Set<String> contended = ConcurrentHashMap.newKeySet();
  private final SuspectedOutages suspected = new SuspectedOutages();

  TransactionalInbox(JdbcIdempotencyStore store, Transactions transactions) {
    super(store);
    this.store = store;
    this.transactions = transactions;
  }

  @Override
  void handle(List<PendingEvent> events, BatchRun run) {
    Deque<Action> actions =
        new ArrayDeque<>(batches(events, event -> contended.contains(event.id())));
    while (!actions.isEmpty()) {
      Action action = actions.remove();
      if (action instanceof Action.Fail failure) {
        failure.apply(run);
      } else if (action instanceof Action.Handle planned) {
        List<PendingEvent> batch = planned.events().stream().filter(run::mayStart).toList();
        if (!batch.isEmpty()) {
          handle(batch, planned.waits(), run, actions);
        }
      }
    }
  }

  /** Runs of events in their order; those that are to be alone are batches of one. */
  private static List<Action> batches(List<PendingEvent> events, Predicate<PendingEvent> alone) {
    List<Action> batches = new ArrayList<>();
    List<PendingEvent> batch = new ArrayList<>();
    for (PendingEvent event : events) {
      if (alone.test(event)) {
        batches.add(new Action.Handle(List.copyOf(batch), true));
        batches.add(new Action.Handle(List.of(event), false));
        batch.clear();
      } else {
        batch.add(event);
      }
    }
    batches.add(new Action.Handle(batch, true));
    return batches;
  }

  /** Handles a batch, or replaces it by other actions. */
  private void handle(
      List<PendingEvent> batch, boolean waits, BatchRun run, Deque<Action> actions) {
    BatchTransaction transaction = new BatchTransaction(store, batch, run, waits);
    Throwable error = transaction.run(transactions);
    if (error == null) {
      run.available();
      transaction.succeed();
      suspected.handled(transaction.handled());
      batch.forEach(event -> contended.remove(event.id()));
    } else if (transaction.isUnavailable(error)) {
      unavailable(batch, error, run, actions);
    } else if (transaction.isSuspicious(error)) {
      suspect(batch, transaction.failed(), error, run, actions);
    } else {
      run.available();
      insert(divide(batch, transaction.failed(), error, run), actions);
    }
  }

  private static void unavailable(
      List<PendingEvent> batch, Throwable error, BatchRun run, Deque<Action> actions) {
    actions.clear();
    run.unavailable(batch, databaseProblem(error));
  }

  private static String databaseProblem(Throwable error) {
    return "the database cannot be used: " + OutcomeMapping.text(error);
  }

  private static void insert(List<Action> next, Deque<Action> actions) {
    for (int i = next.size() - 1; i >= 0; i--) {
      actions.addFirst(next.get(i));
    }
  }

  /** Finds out whether the database failed, or one event; see {@link SuspectedOutages}. */
  private void suspect(
      List<PendingEvent> batch,
      @Nullable PendingEvent failed,
      Throwable error,
      BatchRun run,
      Deque<Action> actions) {
    PendingEvent culprit = failed == null ? batch.get(0) : failed;
    int times = suspected.add(culprit.id());
    if (times <= SuspectedOutages.FOR_ALL) {
      unavailable(batch, error, run, actions);
    } else if (failed == null && batch.size() > 1) {
      insert(batches(batch, event -> true), actions);
    } else {
      boolean outage =
          !suspected.othersWereHandled(culprit.id())
              && (times <= SuspectedOutages.ALONE || !acceptsWrites(culprit));
      insert(around(batch, culprit, error, outage), actions);
    }
  }

  /** Whether the database accepts what an inbox writes. */
  private boolean acceptsWrites(PendingEvent event) {
    try {
      transactions.run(
          tx -> {
            BatchTransaction.markWithoutWaiting(
                store, tx, List.of(BatchTransaction.processed(event)));
            store.unmark(tx, List.of(event.id()));
          });
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (Exception e) {
      log.debug("the database accepts no mark of {}", event.id(), e);
      return false;
    }
  }

  private List<Action> divide(
      List<PendingEvent> batch, @Nullable PendingEvent failed, Throwable error, BatchRun run) {
    boolean contention = DatabaseErrors.isContention(error);
    if (batch.size() > 1 && (failed == null || contention || DatabaseErrors.isAftermath(error))) {
      return batches(batch, event -> true);
    } else if (failed == null && contention) {
      contended.add(batch.get(0).id());
      run.inProgress(batch.get(0));
      return List.of();
    }
    return around(batch, failed == null ? batch.get(0) : failed, error, false);
  }

  /** What to do after one event of a batch failed: the events before it, itself, those after. */
  private static List<Action> around(
      List<PendingEvent> batch, PendingEvent culprit, Throwable error, boolean outage) {
    int at = batch.indexOf(culprit);
    List<PendingEvent> before = batch.subList(0, at);
    return List.of(
        new Action.Handle(before, true),
        new Action.Fail(culprit, error, outage, before),
        new Action.Handle(batch.subList(at + 1, batch.size()), true));
  }

  /** What is left to do in a run. */
  private sealed interface Action {
    /**
     * Mark and handle events in one transaction.
     *
     * @param waits whether it waits for other transactions that have marked one of them
     */
    record Handle(List<PendingEvent> events, boolean waits) implements Action {}

    /**
     * Record a failure once the events before it are done.
     *
     * @param outage whether the event may not be at fault; then the attempt does not count
     */
    record Fail(PendingEvent event, Throwable error, boolean outage, List<PendingEvent> before)
        implements Action {
      void apply(BatchRun run) {
        if (run.isHeld(event) || before.stream().anyMatch(this::comesFirst)) {
          return;
        }
        if (outage) {
          run.unavailable(List.of(event), databaseProblem(error));
        } else {
          run.failed(event, error);
        }
      }

      private boolean comesFirst(PendingEvent other) {
        Object key = event.orderingKey();
        return key != null && other.isOpen() && key.equals(other.orderingKey());
      }
    }
  }
}
