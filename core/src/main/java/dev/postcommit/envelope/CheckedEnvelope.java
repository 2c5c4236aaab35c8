package dev.postcommit.envelope;

import dev.postcommit.PostcommitException;
import dev.postcommit.relay.Message;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.support.StoredEnvelope;

/** Sends payloads as they are, if they are stored envelopes. */
final class CheckedEnvelope implements Envelope {

  @Override
  public Message wrap(StoredEvent event, String topic) {
    String problem =
        StoredEnvelope.problem(
            event.payload(),
            event.id(),
            parser -> {
              parser.skipChildren();
              return null;
            });
    if (problem != null) {
      throw new PostcommitException(problem + "; write such events by DomainEvents.emit");
    }
    return new Message(topic, event.key(), Attributes.of(event), event.payload());
  }
}
