package dev.postcommit.consumer.envelope;

import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.consumer.message.ReceivedMessage;

/**
 * Reads the event from a message; the reverse of {@link dev.postcommit.envelope.Envelope}. Safe for
 * use by many threads.
 *
 * <p>The data is cut out of the message byte for byte, without the white space around it. Fields
 * that the envelope lacks come from the headers {@code aggregate_type}, {@code aggregate_id} and
 * {@code created_at}, if present. Times are in ISO 8601; without an offset they are in UTC.
 */
@FunctionalInterface
public interface EnvelopeReader {

  /**
   * The event that a message carries, its data byte for byte as it was written.
   *
   * @throws PermanentFailureException if there is none; the error says what is missing and shows
   *     nothing of the content
   */
  ReceivedEvent<byte[]> read(ReceivedMessage message);

  /**
   * Reads all of the envelopes below. The first of these rules that applies decides:
   *
   * <ol>
   *   <li>A header {@code ce_specversion}, or a {@code content-type} that begins with {@code
   *       application/cloudevents}: {@link #cloudEvents}.
   *   <li>The body is a JSON object with a string {@code eventId} that no header {@code event_id}
   *       contradicts, and with {@code data}. With {@code eventType} and {@code timestamp} it is
   *       {@link #built}, with {@code occurredAt} and {@code version} {@link #stored}.
   *   <li>The body is a JSON object whose {@code messageId} is what the header {@code event_id}
   *       says: {@link #messageId}.
   *   <li>The headers {@code event_id} and {@code event_type} are there: {@link #raw}.
   * </ol>
   *
   * <p>A message to which no rule applies cannot be read. The chosen reader is as strict as if it
   * had been set alone: a built envelope with an invalid timestamp is an error, not raw.
   */
  static EnvelopeReader detect() {
    return new DetectingReader();
  }

  /** The data is the body; id and type are the headers {@code event_id} and {@code event_type}. */
  static EnvelopeReader raw() {
    return RelayEnvelopes::raw;
  }

  /**
   * The body is a JSON object with the event's id as {@code messageId}; the type is the header
   * {@code event_type}.
   *
   * <p>The data is that object without {@code messageId}. If the only other field is {@code
   * payload}, after the id, and it is not an object, the data is its value, because values other
   * than objects are sent that way. So the data of an event that was written as {@code
   * {"payload":1}} is read as {@code 1}: the messages are the same.
   */
  static EnvelopeReader messageId() {
    return RelayEnvelopes.json(RelayEnvelopes::messageId);
  }

  /**
   * The body is {@code {eventId, timestamp, eventType, version, source, data, metadata}}, of which
   * {@code eventId}, {@code eventType} and {@code data} must be there. No header is needed, but one
   * named {@code event_id} must not contradict the id.
   */
  static EnvelopeReader built() {
    return RelayEnvelopes.json(RelayEnvelopes::built);
  }

  /**
   * The body is {@code {version, eventId, occurredAt, actor, data}}, of which {@code eventId} and
   * {@code data} must be there; the type is the header {@code event_type}. A header {@code
   * event_id} must not contradict the id.
   */
  static EnvelopeReader stored() {
    return RelayEnvelopes.json(RelayEnvelopes::stored);
  }

  /**
   * The message is a CloudEvent 1.0: in binary mode if it has a header {@code ce_specversion}, else
   * structured in JSON. Its {@code subject} is the aggregate id; the attributes beside {@code id},
   * {@code type}, {@code source} and {@code time} are the metadata.
   */
  static EnvelopeReader cloudEvents() {
    return new CloudEventsReader();
  }
}
