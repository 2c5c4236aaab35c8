package dev.postcommit.inbox.internal;

import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The lanes of a consumer. Which messages go to which is for the broker's consumer to decide.
 *
 * @param <S> the slots of a broker
 */
public class LaneGroup<S extends Slot> {
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

  /** Whether all have ended, after they were stopped. */
  public final boolean haveEnded() {
    return lanes.stream().noneMatch(lane -> lane.thread().isAlive());
  }

  /** Waits until all have ended, after they were stopped. */
  public final boolean awaitEnd(Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    for (Lane<S> lane : lanes) {
      lane.thread().join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
    }
    return haveEnded();
  }

  /** Interrupts handlers that do not end. */
  public final void interrupt() {
    lanes.forEach(lane -> lane.thread().interrupt());
  }
}
