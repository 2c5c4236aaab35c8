package dev.postcommit.consumer.spi;

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
 * The messages that a worker has yet to handle. They are ready, or delayed together with all others
 * of their ordering key, because the first of these is to be retried later. Not safe for use by
 * many threads.
 *
 * <p>Messages of a key stay in order because delayed ones are always older than ready ones. New
 * messages are added behind the ready ones. A ready one whose key turns out to be delayed is put
 * behind the delayed ones. When the delay is over, they all go before the ready ones.
 *
 * @param <M> the messages of a broker
 */
final class WorkQueue<M extends FetchedMessage> {
  private final Deque<M> ready = new ArrayDeque<>();
  private final Map<Object, DelayedKey<M>> delayed = new HashMap<>();
  private final PriorityQueue<DelayedKey<M>> byTime =
      new PriorityQueue<>((one, other) -> Long.signum(one.due - other.due));

  /** Adds a message behind all others. */
  void add(M message) {
    ready.addLast(message);
  }

  /**
   * Takes the next messages that are due, and begins them.
   *
   * @param most the most to take
   * @param now the time, as {@link System#nanoTime} counts it
   */
  List<M> take(int most, long now) {
    release(now);
    List<M> batch = new ArrayList<>();
    while (batch.size() < most && !ready.isEmpty()) {
      M message = ready.removeFirst();
      @Nullable DelayedKey<M> before = delayed.get(message.orderingKey());
      if (before != null) {
        before.messages.addLast(message);
      } else if (message.begin()) {
        batch.add(message);
      }
    }
    return batch;
  }

  private void release(long now) {
    while (!byTime.isEmpty() && byTime.peek().due - now <= 0) {
      DelayedKey<M> due = byTime.remove();
      delayed.remove(due.orderingKey);
      putBack(due.messages);
    }
  }

  /** Delays the key of a message that was taken, unless an earlier message has delayed it. */
  void delay(M message, long due) {
    delayed
        .computeIfAbsent(
            message.orderingKey(),
            key -> {
              DelayedKey<M> begun = new DelayedKey<>(key, due);
              byTime.add(begun);
              return begun;
            })
        .messages
        .addLast(message);
  }

  boolean isDelayed(M message) {
    return delayed.containsKey(message.orderingKey());
  }

  /** Puts messages that were taken before all others, in their order. */
  void putBack(Iterable<M> messages) {
    Deque<M> reversed = new ArrayDeque<>();
    messages.forEach(reversed::push);
    reversed.forEach(ready::addFirst);
  }

  /** Forgets messages: all of an ordering key, or none. */
  void drop(Predicate<M> which) {
    ready.removeIf(which);
    delayed.values().removeIf(each -> which.test(each.messages.getFirst()));
    byTime.removeIf(each -> which.test(each.messages.getFirst()));
  }

  /** When the next delay is over, or null if only an addition can make a message ready. */
  @Nullable Long nextDue() {
    return byTime.isEmpty() ? null : byTime.peek().due;
  }

  /** An ordering key that waits, with at least one message. */
  private static final class DelayedKey<M> {
    private final Object orderingKey;
    private final long due;
    private final Deque<M> messages = new ArrayDeque<>();

    private DelayedKey(Object orderingKey, long due) {
      this.orderingKey = orderingKey;
      this.due = due;
    }
  }
}
