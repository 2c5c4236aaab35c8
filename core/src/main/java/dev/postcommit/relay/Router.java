package dev.postcommit.relay;

import dev.postcommit.store.StoredEvent;

/**
 * Says which topic an event goes to. Safe for use by many threads.
 *
 * <p>An event that a router throws on is rejected: it becomes dead, and the others go on. Order is
 * kept among the events of one key that go to one topic.
 */
@FunctionalInterface
public interface Router {

  /** The topic for one event. */
  String topic(StoredEvent event);

  /** The topic recorded with the event; its type, where the layout keeps no topic. */
  static Router recorded() {
    return StoredEvent::topic;
  }
}
