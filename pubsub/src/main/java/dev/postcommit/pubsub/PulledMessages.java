package dev.postcommit.pubsub;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What one subscriber has pulled and is not done, in the order in which it came. Safe for use by
 * many threads.
 *
 * <p>Every subscriber has an object of its own. So what is late from one that has ended cannot be
 * taken for a message of the next.
 */
final class PulledMessages {
  private final Set<MessageSlot> undone = new LinkedHashSet<>();
  private boolean ended;

  /** Adds a message; false if the subscriber has ended. */
  synchronized boolean add(MessageSlot slot) {
    return !ended && undone.add(slot);
  }

  synchronized void done(MessageSlot slot) {
    undone.remove(slot);
  }

  /** Nothing more is begun. */
  synchronized void end() {
    ended = true;
  }

  synchronized boolean isEnded() {
    return ended;
  }

  /** How many are not done. */
  synchronized int count() {
    return undone.size();
  }

  /** Takes all that are not done, the first to come first. */
  synchronized List<MessageSlot> takeUndone() {
    List<MessageSlot> taken = List.copyOf(undone);
    undone.clear();
    return taken;
  }
}
