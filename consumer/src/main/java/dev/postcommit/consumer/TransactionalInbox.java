package dev.postcommit.consumer;

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
 * <p>The mark comes first, and is look-up and lock in one: it tells which of the events are new,
 * and whoever else is given one of them waits until this transaction has ended. If all goes well,
 * that is one statement and one commit for the whole batch.
 *
 * <p>If a handler fails, everything is rolled back. The events before the failed one, which have
 * succeeded once, are handled again in a transaction of their own, and then the ones after it: so a
 * handler runs at most once more than it has to. If the fault cannot be told from the batch (the
 * commit failed, one of many events is being handled by another, transactions were in each other's
 * way), each event gets a transaction of its own.
 *
 * <p>A failure that looks like an outage of the database makes all events wait; what becomes of one
 * that keeps failing so is said at {@link Suspicions}.
 *
 * <p>An event that is in another's open transaction is a suspect from then on, and tried alone, so
 * that the wait for it is no longer everybody's.
 */
final class TransactionalInbox extends StoreInbox {
  private static final Logger log = LoggerFactory.getLogger(TransactionalInbox.class);

  private final JdbcIdempotencyStore store;
  private final Transactions transactions;
  private final Set<String> suspects = ConcurrentHashMap.newKeySet();
  private final Suspicions suspicions = new Suspicions();

  TransactionalInbox(JdbcIdempotencyStore store, Transactions transactions) {
    super(store);
    this.store = store;
    this.transactions = transactions;
  }

  @Override
  boolean isTransactional() {
    return true;
  }

  @Override
  void handle(List<Task> tasks, Round round) {
    Deque<Step> steps = new ArrayDeque<>();
    steps.addAll(batches(tasks, task -> suspects.contains(task.id())));
    while (!steps.isEmpty()) {
      Step step = steps.remove();
      if (step instanceof Step.Failure failure) {
        failure.end(round);
      } else if (step instanceof Step.Batch planned) {
        List<Task> batch = planned.tasks().stream().filter(round::mayStart).toList();
        if (!batch.isEmpty()) {
          handle(batch, planned.patient(), round, steps);
        }
      }
    }
  }

  /** Runs of tasks in their order, those that stand alone each on its own. */
  private static List<Step> batches(List<Task> tasks, Predicate<Task> alone) {
    List<Step> batches = new ArrayList<>();
    List<Task> run = new ArrayList<>();
    for (Task task : tasks) {
      if (alone.test(task)) {
        batches.add(new Step.Batch(List.copyOf(run), true));
        batches.add(new Step.Batch(List.of(task), false));
        run.clear();
      } else {
        run.add(task);
      }
    }
    batches.add(new Step.Batch(run, true));
    return batches;
  }

  /** Handles a batch, or puts other steps in its place. */
  private void handle(List<Task> batch, boolean patient, Round round, Deque<Step> steps) {
    Pass pass = new Pass(store, batch, round, patient);
    Throwable error = pass.run(transactions);
    if (error == null) {
      round.available();
      pass.succeed();
      suspicions.handled(pass.handled());
      batch.forEach(task -> suspects.remove(task.id()));
    } else if (pass.isUnavailable(error)) {
      unavailable(batch, error, round, steps);
    } else if (pass.isSuspicious(error)) {
      suspect(batch, pass.failed(), error, round, steps);
    } else {
      round.available();
      goOn(divide(batch, pass.failed(), error, round), steps);
    }
  }

  private static void unavailable(
      List<Task> batch, Throwable error, Round round, Deque<Step> steps) {
    steps.clear();
    round.unavailable(batch, "the database cannot be used: " + Verdicts.text(error));
  }

  private static void goOn(List<Step> instead, Deque<Step> steps) {
    for (int i = instead.size() - 1; i >= 0; i--) {
      steps.addFirst(instead.get(i));
    }
  }

  /** Finds out whether it is the database's failure or an event's; see {@link Suspicions}. */
  private void suspect(
      List<Task> batch, @Nullable Task failed, Throwable error, Round round, Deque<Step> steps) {
    Task culprit = failed == null ? batch.get(0) : failed;
    int times = suspicions.add(culprit.id());
    if (times <= Suspicions.FOR_ALL) {
      unavailable(batch, error, round, steps);
    } else if (failed == null && batch.size() > 1) {
      goOn(batches(batch, task -> true), steps);
    } else {
      boolean outage =
          !suspicions.othersWereHandled(culprit.id())
              && (times <= Suspicions.ALONE || !takesWrites(culprit));
      goOn(around(batch, culprit, error, outage), steps);
    }
  }

  /** Whether the database takes what an inbox writes. */
  private boolean takesWrites(Task task) {
    try {
      transactions.run(
          tx -> {
            store.markProcessedAtOnce(tx, List.of(Pass.processed(task)));
            store.unmark(tx, List.of(task.id()));
          });
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (Exception e) {
      log.debug("the database takes no mark of {}", task.id(), e);
      return false;
    }
  }

  private List<Step> divide(List<Task> batch, @Nullable Task failed, Throwable error, Round round) {
    boolean contention = DatabaseErrors.isContention(error);
    if (batch.size() > 1 && (failed == null || contention || DatabaseErrors.isAftermath(error))) {
      return batches(batch, task -> true);
    } else if (failed == null && contention) {
      suspects.add(batch.get(0).id());
      round.inProgress(batch.get(0));
      return List.of();
    }
    return around(batch, failed == null ? batch.get(0) : failed, error, false);
  }

  /** What is to be done if one event of a batch failed: those before it, itself, those behind. */
  private static List<Step> around(
      List<Task> batch, Task culprit, Throwable error, boolean outage) {
    int at = batch.indexOf(culprit);
    List<Task> before = batch.subList(0, at);
    return List.of(
        new Step.Batch(before, true),
        new Step.Failure(culprit, error, outage, before),
        new Step.Batch(batch.subList(at + 1, batch.size()), true));
  }

  /** What is left to do in a round. */
  private sealed interface Step {
    /**
     * Events to mark and handle in one transaction.
     *
     * @param patient whether it waits for other transactions that have marked one of them
     */
    record Batch(List<Task> tasks, boolean patient) implements Step {}

    /**
     * A failure that counts once the events before it are done.
     *
     * @param outage whether it may be no fault of the event; then it does not count
     */
    record Failure(Task task, Throwable error, boolean outage, List<Task> before) implements Step {
      void end(Round round) {
        if (round.waits(task) || before.stream().anyMatch(this::comesFirst)) {
          return;
        }
        if (outage) {
          round.unavailable(List.of(task), "the database cannot be used: " + Verdicts.text(error));
        } else {
          round.failed(task, error);
        }
      }

      private boolean comesFirst(Task other) {
        Object order = task.attempt().order();
        return order != null && other.isOpen() && order.equals(other.attempt().order());
      }
    }
  }
}
