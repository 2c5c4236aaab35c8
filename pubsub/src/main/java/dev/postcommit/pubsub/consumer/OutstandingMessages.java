package dev.postcommit.pubsub.consumer;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The messages of one subscriber that are not done, in the order in which they came. Safe for use
 * by many threads.
 *
 * <p>Every subscriber has an object of its own. So a late message of one that has ended cannot be
 * taken for a message of the next.
 */
final class OutstandingMessages {
  private final Set<PulledMessage> messages = new LinkedHashSet<>();
  private boolean ended;

  /** Adds a message; false if the subscriber has ended. */
  synchronized boolean add(PulledMessage message) {
    return !ended && messages.add(message);
  }

  synchronized void done(PulledMessage message) {
    messages.remove(message);
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
    return messages.size();
  }

  /** Takes all that are not done, the first to come first. */
  synchronized List<PulledMessage> takeAll() {
    List<PulledMessage> taken = List.copyOf(messages);
    messages.clear();
    return taken;
  }
}
