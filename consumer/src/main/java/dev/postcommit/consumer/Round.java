package dev.postcommit.consumer;

import java.sql.Connection;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One call of a consumer: runs handlers, and says what became of each event.
 *
 * <p>An event that is to be retried holds back the later ones of its order. After some time no more
 * handlers are started, lest slow ones keep a transaction open or let marks expire that were set
 * for the events after them.
 */
final class Round {
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private final Verdicts verdicts;
  private final DataDecoder decoder;
  private final Set<Object> waiting = new HashSet<>();
  private long budget = LONGEST.toNanos();
  private boolean started;
  private long begin;

  Round(Verdicts verdicts, DataDecoder decoder) {
    this.verdicts = verdicts;
    this.decoder = decoder;
  }

  String consumer() {
    return verdicts.consumer();
  }

  /** Starts no handler later than this after the first. */
  void limit(Duration time) {
    budget = Math.min(budget, time.toNanos());
  }

  /** Whether an event may be handled; if not, those behind it in its order may not either. */
  boolean mayStart(Task task) {
    boolean inTime = !started || System.nanoTime() - begin < budget;
    if (inTime && !waits(task) && !Thread.currentThread().isInterrupted()) {
      return true;
    }
    holdBack(task);
    return false;
  }

  /** Whether an earlier event of the same order is to be handled first. */
  boolean waits(Task task) {
    Object order = task.attempt().order();
    return order != null && waiting.contains(order);
  }

  private void holdBack(Task task) {
    Object order = task.attempt().order();
    if (order != null) {
      waiting.add(order);
    }
  }

  /** Runs the handler; returns what it threw. */
  Optional<Throwable> call(Task task, @Nullable Connection tx) {
    long called = System.nanoTime();
    if (!started) {
      started = true;
      begin = called;
    }
    Optional<Throwable> error = EventContext.of(task.event(), () -> observed(task, tx));
    task.took(Duration.ofNanos(System.nanoTime() - called));
    return error;
  }

  private Optional<Throwable> observed(Task task, @Nullable Connection tx) {
    ConsumerListener.Handling handling = verdicts.handling(task);
    @Nullable Throwable error = null;
    try {
      task.handler().handle(tx, task.event(), decoder);
    } catch (Throwable e) { // whatever a handler throws concerns its event alone
      error = e;
    }
    handling.ended(error);
    return Optional.ofNullable(error);
  }

  /** The handler has succeeded, and that is remembered. */
  void done(Task task) {
    task.end(verdicts.processed(task));
  }

  void duplicate(Task task) {
    task.end(verdicts.duplicate(task.event()));
  }

  /** The handler has failed, and what it did is undone as far as it can be. */
  void failed(Task task, Throwable error) {
    if (error instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    // Whatever a handler makes of an interrupt, it was no fault of the event.
    if (Thread.currentThread().isInterrupted()) {
      end(task, Verdicts.INTERRUPTED);
    } else {
      end(task, verdicts.failed(task.attempt(), task.event(), error));
    }
  }

  /** Somebody else is handling the event, or was when it crashed. */
  void inProgress(Task task) {
    if (!waits(task)) {
      end(task, Verdicts.IN_PROGRESS);
    }
  }

  /** The inbox cannot tell, so nothing may be handled. */
  void unavailable(Collection<Task> tasks, String reason) {
    Outcome later = verdicts.unavailable(reason);
    tasks.stream().filter(Task::isOpen).forEach(task -> end(task, later));
  }

  /** The inbox has answered. */
  void available() {
    verdicts.available();
  }

  private void end(Task task, Outcome outcome) {
    task.end(outcome);
    if (outcome instanceof Outcome.Retry) {
      holdBack(task);
    }
  }
}
