package dev.postcommit.consumer.internal;

import dev.postcommit.support.Backoff;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * The thread that keeps a consumer reading, whatever happens, until it is stopped: it goes on after
 * every failure, with longer and longer pauses, and says why it cannot read. In the end it waits
 * for the lanes.
 */
public abstract class ReadingLoop implements Runnable {
  private static final Duration FIRST_RETRY = Duration.ofMillis(100);

  private final Logger log;
  private final LaneGroup<?> lanes;
  private final Duration closeTimeout;
  private final Trouble trouble;
  private final Backoff backoff;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private volatile long deadline;
  private boolean lanesEnded;

  /**
   * A loop that does not run yet.
   *
   * @param what what it does, as the beginning of a sentence that goes on with "fails"
   * @param closeTimeout how long handlers may take when it is stopped
   * @param longestRetry the longest pause after a failure
   */
  protected ReadingLoop(
      Logger log, String what, LaneGroup<?> lanes, Duration closeTimeout, Duration longestRetry) {
    this.log = log;
    this.lanes = lanes;
    this.closeTimeout = closeTimeout;
    this.trouble = new Trouble(log, what);
    this.backoff = new Backoff(FIRST_RETRY, longestRetry);
  }

  /** Reads until it is to stop, or throws; it is called again then. */
  protected abstract void read();

  /** Whether a failure lasts until somebody does something about it. */
  protected abstract boolean needsAPerson(Throwable error);

  @Override
  public final void run() {
    while (!isStopping()) {
      try {
        read();
      } catch (Throwable e) {
        failed(e);
      }
    }
    endLanes();
    ended();
  }

  /** What is to be done at the very end. */
  protected void ended() {}

  /** Begins to end; the time of the handlers runs from the first call. */
  public final synchronized void stop() {
    if (!isStopping()) {
      deadline = System.nanoTime() + closeTimeout.toNanos();
      stopping.countDown();
      lanes.stop();
    }
  }

  /** Why it cannot read, if it cannot. */
  public final Optional<String> problem() {
    return trouble.reason();
  }

  /** Whether it is to stop. */
  protected final boolean isStopping() {
    return stopping.getCount() == 0;
  }

  /** Whether the handlers still have time, after it was stopped. */
  protected final boolean handlersHaveTime() {
    return !lanes.haveEnded() && System.nanoTime() - deadline < 0;
  }

  /** It reads. */
  protected final void works() {
    trouble.over();
    backoff.reset();
  }

  /** It cannot read, says so, and pauses. */
  protected final void failed(Throwable error) {
    if (needsAPerson(error)) {
      trouble.failed(
          error, Level.ERROR, remedy(error) + "; until then it is tried again and again");
    } else {
      trouble.failed(error);
    }
    log.debug("reading failed", error);
    sleep(backoff.nextNanos());
  }

  /** What a person is to do. */
  protected String remedy(Throwable error) {
    return "correct that";
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

  /** Waits for lanes to end, and interrupts them when their time is over. */
  protected final void endLanes() {
    if (!lanesEnded) {
      lanesEnded = true;
      clearInterrupt();
      lanes.end(deadline, closeTimeout);
      clearInterrupt();
    }
  }

  /** Only {@link #stop} ends the loop: an interrupt is no one's to send. */
  protected final void clearInterrupt() {
    if (Thread.interrupted()) {
      log.debug("an interrupt is ignored");
    }
  }
}
