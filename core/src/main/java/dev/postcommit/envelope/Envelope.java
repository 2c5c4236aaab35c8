package dev.postcommit.envelope;

import dev.postcommit.relay.Message;
import dev.postcommit.store.StoredEvent;

/**
 * Turns an event into the message that carries it. Safe for use by many threads.
 *
 * <p>An event that an envelope throws on is rejected: it becomes dead, and the others go on.
 */
@FunctionalInterface
public interface Envelope {

  /** The message for one event, to the given topic. */
  Message wrap(StoredEvent event, String topic);

  /** The payload as it was written, with the headers of {@link Attributes}. */
  static Envelope raw() {
    return (event, topic) -> new Message(topic, event.key(), Attributes.of(event), event.payload());
  }
}
