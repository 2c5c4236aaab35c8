package dev.postcommit.consumer.internal;

import dev.postcommit.support.DurationText;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lanes of a consumer. Which messages go to which is for the broker's consumer to decide.
 *
 * @param <S> the slots of a broker
 */
public class LaneGroup<S extends Slot> {
  private static final Logger log = LoggerFactory.getLogger(LaneGroup.class);

  /** How long handlers may take to react to an interrupt. */
  private static final Duration LAST_PATIENCE = Duration.ofSeconds(1);

  private final List<Lane<S>> lanes;

  /** Lanes that are not started, made by their numbers from 0. */
  public LaneGroup(int count, IntFunction<Lane<S>> lane) {
    this.lanes = IntStream.range(0, count).mapToObj(lane).toList();
  }

  /** The lanes, by number. */
  protected final List<Lane<S>> lanes() {
    return lanes;
  }

  /** Starts them. */
  public final void start() {
    lanes.forEach(Lane::start);
  }

  /** Begins nothing more. */
  public final void stop() {
    lanes.forEach(Lane::stop);
  }

  /** Why some of them do not get on, if so. */
  public final Optional<String> problem() {
    return lanes.stream()
        .sorted(Comparator.comparing(lane -> !lane.hasFailed()))
        .flatMap(lane -> lane.problem().stream())
        .findFirst();
  }

  /** Whether one has ended though it was not stopped. */
  public final boolean haveFailed() {
    return lanes.stream().anyMatch(Lane::hasFailed);
  }

  /** Whether all have ended, after they were stopped. */
  public final boolean haveEnded() {
    return lanes.stream().noneMatch(lane -> lane.thread().isAlive());
  }

  /**
   * Waits for all to end, after they were stopped, and interrupts handlers when their time is over.
   *
   * @param deadline the {@link System#nanoTime} at which it is over
   * @param patience how long that was, to be told
   */
  public final void end(long deadline, Duration patience) {
    try {
      if (!awaitEnd(deadline)) {
        log.warn(
            "handlers have not ended within {} and are interrupted", DurationText.spoken(patience));
        lanes.forEach(lane -> lane.thread().interrupt());
        awaitEnd(System.nanoTime() + LAST_PATIENCE.toNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean awaitEnd(long deadline) throws InterruptedException {
    for (Lane<S> lane : lanes) {
      lane.thread().join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
    }
    return haveEnded();
  }
}
