package dev.postcommit.testkit.pubsub.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one ordering key of a subscription, in the order they were published. A message
 * without order has a lane of its own.
 *
 * <p>The lane is cut in two: what went out, of which the first is always unacknowledged, and what
 * is to go out. A message that is acknowledged stays while one before it is outstanding, since it
 * goes out again if that one does. Guarded by its backlog's lock.
 */
final class Lane {

  final String key;

  private final Deque<Item> out = new ArrayDeque<>();

  private final Deque<Item> waiting = new ArrayDeque<>();

  /** Who has the outstanding ones, all of them; null if none is outstanding. */
  private @Nullable Consumer holder;

  /** Where it waits to be served; null if it does not. */
  @Nullable LaneQueue queue;

  Lane(String key) {
    this.key = key;
  }

  @Nullable Consumer holder() {
    return holder;
  }

  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  boolean isEmpty() {
    return out.isEmpty() && waiting.isEmpty();
  }

  void add(Item item) {
    waiting.add(item);
  }

  Item take(Consumer consumer) {
    Item item = waiting.remove();
    out.add(item);
    holder = consumer;
    return item;
  }

  /** Drops what is acknowledged and has nothing outstanding before it. */
  void drop() {
    while (!out.isEmpty() && out.element().lease == null) {
      out.remove();
    }
    if (out.isEmpty()) {
      holder = null;
    }
  }

  /**
   * Puts {@code item}, which is out, and all that went out after it back in the order they had.
   *
   * @param each is told each of them
   */
  void rewind(Item item, java.util.function.Consumer<Item> each) {
    Item last;
    do {
      last = out.removeLast();
      each.accept(last);
      waiting.addFirst(last);
    } while (last != item);
    if (out.isEmpty()) {
      holder = null;
    }
  }
}
