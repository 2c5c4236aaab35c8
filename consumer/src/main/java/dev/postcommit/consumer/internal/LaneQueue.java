package dev.postcommit.consumer.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a lane has yet to handle: slots that are ready, and strands that are parked because their
 * first message is to be retried later. Not safe for use by many threads.
 *
 * <p>The slots of a strand stay in order because those parked are always older than those ready:
 * what comes is added behind the ready ones; what is ready and found to be of a parked strand is
 * put behind the parked ones; and when their time has come, all of them go before the ready ones.
 *
 * @param <S> the slots of a broker
 */
final class LaneQueue<S extends Slot> {
  private final Deque<S> ready = new ArrayDeque<>();
  private final Map<Object, Parked<S>> parked = new HashMap<>();
  private final PriorityQueue<Parked<S>> byTime =
      new PriorityQueue<>((one, other) -> Long.signum(one.due - other.due));

  /** Adds a slot behind all others. */
  void add(S slot) {
    ready.addLast(slot);
  }

  /**
   * Takes the next slots whose time has come, and begins them.
   *
   * @param most the most to take
   * @param now the time, as {@link System#nanoTime} counts it
   */
  List<S> take(int most, long now) {
    release(now);
    List<S> batch = new ArrayList<>();
    while (batch.size() < most && !ready.isEmpty()) {
      S slot = ready.removeFirst();
      @Nullable Parked<S> before = parked.get(slot.strand());
      if (before != null) {
        before.slots.addLast(slot);
      } else if (slot.begin()) {
        batch.add(slot);
      }
    }
    return batch;
  }

  private void release(long now) {
    while (!byTime.isEmpty() && byTime.peek().due - now <= 0) {
      Parked<S> due = byTime.remove();
      parked.remove(due.strand);
      putBack(due.slots);
    }
  }

  /** Parks the strand of a slot that was taken, unless an earlier slot has parked it already. */
  void park(S slot, long due) {
    parked
        .computeIfAbsent(
            slot.strand(),
            strand -> {
              Parked<S> begun = new Parked<>(strand, due);
              byTime.add(begun);
              return begun;
            })
        .slots
        .addLast(slot);
  }

  boolean isParked(S slot) {
    return parked.containsKey(slot.strand());
  }

  /** Puts slots that were taken before all others, in their order. */
  void putBack(Iterable<S> slots) {
    Deque<S> reversed = new ArrayDeque<>();
    slots.forEach(reversed::push);
    reversed.forEach(ready::addFirst);
  }

  /** Forgets slots, which are all or none of a strand. */
  void drop(Predicate<S> which) {
    ready.removeIf(which);
    parked.values().removeIf(each -> which.test(each.slots.getFirst()));
    byTime.removeIf(each -> which.test(each.slots.getFirst()));
  }

  /** When to look again if nothing is ready, or null if only an addition can change that. */
  @Nullable Long nextDue() {
    return byTime.isEmpty() ? null : byTime.peek().due;
  }

  /** A strand that waits, with one slot at least. */
  private static final class Parked<S> {
    private final Object strand;
    private final long due;
    private final Deque<S> slots = new ArrayDeque<>();

    private Parked(Object strand, long due) {
      this.strand = strand;
      this.due = due;
    }
  }
}
