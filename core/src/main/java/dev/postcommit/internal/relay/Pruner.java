package dev.postcommit.internal.relay;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.DurationText;
import dev.postcommit.internal.ErrorText;
import dev.postcommit.internal.relay.health.Fatal;
import dev.postcommit.internal.relay.health.WakeUp;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Relay.State;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.store.OutboxAdmin;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes delivered rows when their retention time is over, periodically and from a thread of its
 * own.
 *
 * <p>Nothing ends the schedule but {@link #stop} and an error of the virtual machine. A failure is
 * logged when it begins, or becomes another one, and when it is over; listeners hear of each run.
 */
final class Pruner implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(Pruner.class);

  /** When delivered rows are deleted for the first time, and how often from then on. */
  private static final Duration FIRST = Duration.ofSeconds(5);

  private static final Duration INTERVAL = Duration.ofMinutes(5);
  private static final int BATCH = 5000;

  private static final Set<State> READY =
      EnumSet.of(State.RUNNING, State.BROKER_UNAVAILABLE, State.STANDBYS_UNAVAILABLE);

  private final LongSupplier prune;
  private final BooleanSupplier isReady;
  private final RelayListener listener;
  private final Duration retention;
  private final Duration first;
  private final Duration interval;
  private final WakeUp wakeUp = new WakeUp();
  private volatile boolean stopped;
  private @Nullable String failure;

  /**
   * A pruner that does not run yet.
   *
   * @param prune deletes what is due, and returns the number of events; returns early if its thread
   *     is interrupted
   * @param isReady whether the table may be pruned now
   * @param first how long it waits before the first run, and while the table may not be pruned
   * @param interval how long it waits between two runs
   */
  Pruner(
      LongSupplier prune,
      BooleanSupplier isReady,
      RelayListener listener,
      Duration retention,
      Duration first,
      Duration interval) {
    this.prune = prune;
    this.isReady = isReady;
    this.listener = listener;
    this.retention = retention;
    this.first = first;
    this.interval = interval;
  }

  /**
   * The pruner of a relay; null if it keeps delivered rows, or has none.
   *
   * @param state that of the relay: it does not prune while the table is unfit, or an operator
   *     wants it left alone
   */
  static @Nullable Pruner of(
      DataSource dataSource,
      Layout layout,
      @Nullable Duration retention,
      RelayListener listener,
      Supplier<State> state) {
    if (retention == null || !layout.keepsDelivered()) {
      return null;
    }
    OutboxAdmin admin = OutboxAdmin.of(dataSource, layout);
    return new Pruner(
        () -> admin.prune(retention, BATCH),
        () -> READY.contains(state.get()),
        listener,
        retention,
        FIRST,
        INTERVAL);
  }

  /** Ends it; the caller interrupts the thread, which gives up what it has not deleted. */
  void stop() {
    stopped = true;
    wakeUp.signal();
  }

  @Override
  public void run() {
    Duration wait = first;
    while (!stopped) {
      try {
        wakeUp.await(wait.toNanos());
        boolean mayPrune = !stopped && isReady.getAsBoolean();
        wait = mayPrune ? interval : first;
        if (mayPrune) {
          prune();
        }
      } catch (InterruptedException e) {
        // Only stop() ends it, not an interrupt.
        log.debug("interrupted", e);
      } catch (RuntimeException | Error e) {
        Fatal.rethrow(e);
        failed(e);
      }
    }
  }

  private void prune() {
    long deleted = prune.getAsLong();
    if (failure != null) {
      log.info("delivered events can be deleted again");
      failure = null;
    }
    if (deleted > 0) {
      log.info("pruned {} events delivered over {} ago", deleted, DurationText.show(retention));
    }
    listener.pruned(deleted);
  }

  private void failed(Throwable e) {
    if (stopped) {
      log.debug("a relay that is closing could not prune", e);
      return;
    }
    boolean isExpected = e instanceof PostcommitException;
    String reason = isExpected ? String.valueOf(e.getMessage()) : ErrorText.of(e);
    if (!reason.equals(failure)) {
      failure = reason;
      log.warn(
          "delivered events are kept beyond their retention time ({}): {}; it is tried again every {}",
          DurationText.show(retention),
          reason,
          DurationText.show(interval));
      if (!isExpected) {
        log.warn("pruning failed unexpectedly", e);
      }
    }
    listener.pruneFailed(reason);
  }
}
