package dev.postcommit.examples.polyshop.common;

import dev.postcommit.envelope.Envelope;
import dev.postcommit.relay.Message;
import dev.postcommit.store.StoredEvent;

/**
 * Wraps the payload of an event into PolyShop's envelope on its way to Kafka: {@code {eventId,
 * timestamp, eventType, version, source, data, metadata}}, with the service as its source.
 */
public final class EventEnvelopeBuilder implements Envelope {
  private final Envelope built;

  /**
   * The envelopes of one service.
   *
   * @param service its name, as {@code order-service}
   */
  public EventEnvelopeBuilder(String service) {
    built = Envelope.built(service);
  }

  @Override
  public Message wrap(StoredEvent event, String topic) {
    return built.wrap(event, topic);
  }
}
