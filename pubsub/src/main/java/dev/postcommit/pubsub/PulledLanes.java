package dev.postcommit.pubsub;

import dev.postcommit.consumer.internal.Lane;
import dev.postcommit.consumer.internal.LaneGroup;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of a consumer. Messages of a key go to the same lane for as long as the consumer lives,
 * whichever subscriber pulled them. So they are never handled at the same time within a process.
 */
final class PulledLanes extends LaneGroup<MessageSlot> {
  private int next;

  PulledLanes(int count, IntFunction<Lane<MessageSlot>> lane) {
    super(count, lane);
  }

  /** Has a message handled after those of its key that were given before. */
  void give(MessageSlot slot) {
    lanes().get(lane(slot)).add(List.of(slot));
  }

  private int lane(MessageSlot slot) {
    @Nullable String key = slot.key();
    if (key == null || slot.strand() == slot) {
      return nextInTurn();
    }
    int hash = key.hashCode();
    return Math.floorMod(hash ^ (hash >>> 16), lanes().size());
  }

  private synchronized int nextInTurn() {
    next = (next + 1) % lanes().size();
    return next;
  }

  /** Forgets what waits of a subscriber. */
  void drop(PulledMessages pulled) {
    lanes().forEach(lane -> lane.drop(slot -> slot.pulled() == pulled));
  }

  /** Whether the calling thread is that of a lane. */
  boolean areCalling() {
    return lanes().stream().anyMatch(lane -> lane.thread() == Thread.currentThread());
  }
}
