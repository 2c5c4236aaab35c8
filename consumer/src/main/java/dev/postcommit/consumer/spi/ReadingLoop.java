package dev.postcommit.consumer.spi;

import dev.postcommit.support.Backoff;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * The life of a broker's consumer: the thread that fetches messages, and all that starts and ends
 * with it. Whatever fails, the thread goes on reading, with longer and longer pauses, and says why
 * it cannot. When it is closed it waits for the workers. Safe for use by many threads.
 */
public abstract class ReadingLoop {
  private static final Duration FIRST_RETRY = Duration.ofMillis(100);
  private static final Duration FIRST_PRUNING = Duration.ofMinutes(5);
  private static final Duration PRUNING = Duration.ofMinutes(50);

  private final Logger log;
  private final String what;
  private final WorkerPool<?> workers;
  private final PeriodicPruning pruning;
  private final RecurringFailure failure;
  private final Backoff backoff;
  private final Thread thread;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private boolean started;
  private volatile long deadline;
  private boolean workersEnded;

  /**
   * A loop that is not started.
   *
   * @param what what it does, as the beginning of a sentence that continues with "fails"
   * @param thread the name of its thread
   * @param longestRetry the longest pause after a failure
   */
  protected ReadingLoop(
      Logger log, String what, String thread, WorkerPool<?> workers, Duration longestRetry) {
    this.log = log;
    this.what = what;
    this.workers = workers;
    this.pruning = new PeriodicPruning(workers.consumer(), FIRST_PRUNING, PRUNING);
    this.failure = new RecurringFailure(log, what);
    this.backoff = new Backoff(FIRST_RETRY, longestRetry);
    this.thread = new Thread(this::run, thread);
    this.thread.setDaemon(true);
  }

  /** Reads until it is to stop, or throws; then it is called again. */
  protected abstract void read();

  /** How many fetched messages are not done. */
  protected abstract int undone();

  /** How many messages in the broker are not handled yet; empty if that is not known. */
  protected OptionalLong lag() {
    return OptionalLong.empty();
  }

  /** Whether a failure lasts until a person does something about it. */
  protected abstract boolean needsAPerson(Throwable error);

  /** Releases what belongs to the broker's consumer; called once, at the very end. */
  protected void release() {}

  /**
   * Starts the thread and the workers.
   *
   * @throws IllegalStateException if it was started or closed before
   */
  final synchronized void start() {
    if (started || isStopping()) {
      throw new IllegalStateException(
          "the consumer was started or closed before (%s); build another".formatted(what));
    }
    started = true;
    pruning.start();
    workers.start();
    thread.start();
  }

  /** Whether it was started and not closed, and none of its threads has ended by an error. */
  final synchronized boolean running() {
    return started && !isStopping() && !workers.haveFailed();
  }

  /** Why it cannot read, send dead letters or handle messages, if so. */
  final Optional<String> problem() {
    return failure.reason().or(workers.deadLetters()::problem).or(workers::problem);
  }

  /**
   * Begins nothing more, and waits for the handlers, whose time runs from the first call. A handler
   * that calls this does not wait for itself: the loop ends after it.
   */
  final void close() {
    synchronized (this) {
      if (!isStopping()) {
        deadline = System.nanoTime() + workers.closeTimeout().toNanos();
        stopping.countDown();
        workers.stop();
        if (!started) {
          releaseAll();
        }
      }
    }
    if (!workers.isCalling()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        log.warn("closing the consumer was interrupted ({})", what);
      }
    }
  }

  private void run() {
    while (!isStopping()) {
      try {
        read();
      } catch (Throwable e) {
        failed(e);
      }
    }
    awaitWorkers();
    releaseAll();
    log.info("{} has stopped {}", consumer(), what);
  }

  private void releaseAll() {
    pruning.close();
    workers.deadLetters().close();
    release();
  }

  /** The name of the event consumer. */
  final String consumer() {
    return workers.consumer().name();
  }

  /** Whether it is to stop. */
  protected final boolean isStopping() {
    return stopping.getCount() == 0;
  }

  /** Whether the handlers still have time, after it was closed. */
  protected final boolean handlersHaveTime() {
    return !workers.haveEnded() && System.nanoTime() - deadline < 0;
  }

  /** Reading works. */
  protected final void works() {
    failure.over();
    backoff.reset();
  }

  /** Reading fails: logs that, and pauses. */
  protected final void failed(Throwable error) {
    report(error);
    sleep(backoff.nextNanos());
  }

  /** Reading fails, though the client of the broker tries again by itself: logs that. */
  protected final void report(Throwable error) {
    if (needsAPerson(error)) {
      String advice = advice(error).orElse("correct that");
      failure.failed(error, Level.ERROR, advice + "; until then it is tried again and again");
    } else {
      failure.failed(error);
    }
    log.debug("reading failed", error);
  }

  /** What a person should do, if that is known. */
  protected Optional<String> advice(Throwable error) {
    return Optional.empty();
  }

  /** Waits; true if it is to stop. */
  protected final boolean sleep(long nanos) {
    clearInterrupt();
    try {
      return stopping.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      clearInterrupt();
      return isStopping();
    }
  }

  /** Waits for the workers to end, and interrupts them when their time is over. */
  protected final void awaitWorkers() {
    if (!workersEnded) {
      workersEnded = true;
      clearInterrupt();
      workers.awaitEnd(deadline);
      clearInterrupt();
    }
  }

  /** Ignores an interrupt: only {@link #close} ends the loop. */
  protected final void clearInterrupt() {
    if (Thread.interrupted()) {
      log.debug("an interrupt is ignored");
    }
  }
}
