package dev.postcommit.envelope;

import dev.postcommit.relay.Message;
import dev.postcommit.store.StoredEvent;

/**
 * Turns an event into the message that carries it. Safe for use by many threads.
 *
 * <p>Every message of the envelopes here has the event's key, and the headers of {@link
 * Attributes}. An event that an envelope throws on is rejected: it becomes dead, and the others go
 * on.
 */
@FunctionalInterface
public interface Envelope {

  /** The message for one event, to the given topic. */
  Message wrap(StoredEvent event, String topic);

  /** The payload as it was written. */
  static Envelope raw() {
    return (event, topic) -> new Message(topic, event.key(), Attributes.of(event), event.payload());
  }

  /**
   * The payload with the event's id as {@code messageId}.
   *
   * <p>A JSON object gets {@code messageId} as its first field, in place of any it has of that
   * name; any other JSON value becomes {@code {"messageId":…,"payload":…}}. The values of all
   * fields stay byte for byte as they were written. A payload that is not JSON is rejected.
   */
  static Envelope messageId() {
    return new MessageIdEnvelope();
  }

  /**
   * The payload as the data of an envelope built on the way to the broker: {@code {eventId,
   * timestamp, eventType, version, source, data, metadata{traceId, correlationId, idempotencyKey?,
   * userId?}}}.
   *
   * <p>The timestamp is the event's creation in ISO 8601, and {@code data} is the payload byte for
   * byte; one that is not JSON is rejected. The metadata comes from the event's headers:
   *
   * <ul>
   *   <li>{@code traceId}: the header of that name, else the trace id of a W3C {@code traceparent}
   *       header, else the event's id;
   *   <li>{@code correlationId}: the header of that name, else the event's id;
   *   <li>{@code idempotencyKey}: the header of that name, else the event's dedupe key, else left
   *       out;
   *   <li>{@code userId}: the header of that name, else left out.
   * </ul>
   *
   * A blank header counts as none.
   *
   * @param source the service that the events come from, for example {@code order-service}
   * @throws IllegalArgumentException if {@code source} is blank
   */
  static Envelope built(String source) {
    return new BuiltEnvelope(source);
  }

  /**
   * The payload as it was written, which must be the envelope that {@link
   * dev.postcommit.DomainEvents} stores: {@code {version, eventId, occurredAt, actor?{userId,
   * storeId?, role?}, data}}.
   *
   * <p>Rejected is a payload that is no such envelope, whose data is null, or whose {@code eventId}
   * is not the id of its row, for then consumers could not tell a second delivery from a new event.
   * Fields beyond these are let through.
   */
  static Envelope stored() {
    return new CheckedEnvelope();
  }
}
