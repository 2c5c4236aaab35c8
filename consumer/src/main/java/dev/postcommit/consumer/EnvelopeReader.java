package dev.postcommit.consumer;

/**
 * Takes an event out of the message that carries it; the reverse of {@link
 * dev.postcommit.envelope.Envelope}. Safe for use by many threads.
 *
 * <p>The data is cut out of the message byte for byte; white space around it is not part of it.
 * What the envelope does not tell comes from the headers {@code aggregate_type}, {@code
 * aggregate_id} and {@code created_at}, if they are there. Times are in ISO 8601; one without an
 * offset is taken to be UTC.
 */
@FunctionalInterface
public interface EnvelopeReader {

  /**
   * The event that a message carries, its data byte for byte as it was written.
   *
   * @throws PermanentFailureException if the message carries none, saying what is missing and
   *     showing nothing of its content
   */
  ReceivedEvent<byte[]> read(ReceivedMessage message);

  /**
   * Reads all of the envelopes below. Which one a message has is told by the first of these that
   * holds:
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
   * <p>A message for which none holds cannot be read. What is told is then read as exactly as by
   * the reader of that envelope: a built envelope whose timestamp is no time is an error, not raw.
   */
  static EnvelopeReader detect() {
    return new DetectingReader();
  }

  /** The data is the body; id and type are the headers {@code event_id} and {@code event_type}. */
  static EnvelopeReader raw() {
    return new RawReader();
  }

  /**
   * The body is a JSON object with the event's id as {@code messageId}; the type is the header
   * {@code event_type}.
   *
   * <p>The data is that object without {@code messageId}. If there is nothing beside but {@code
   * payload}, after the id, and it is not an object, the data is its value, for that is how other
   * values than objects are sent. So the data of an event that was written as {@code {"payload":1}}
   * is read as {@code 1}, since the messages are the same.
   */
  static EnvelopeReader messageId() {
    return new MessageIdReader();
  }

  /**
   * The body is {@code {eventId, timestamp, eventType, version, source, data, metadata}}, of which
   * {@code eventId}, {@code eventType} and {@code data} must be there. No header is needed, but one
   * named {@code event_id} must not tell another id.
   */
  static EnvelopeReader built() {
    return new BuiltReader();
  }

  /**
   * The body is {@code {version, eventId, occurredAt, actor, data}}, of which {@code eventId} and
   * {@code data} must be there; the type is the header {@code event_type}. A header {@code
   * event_id} must not tell another id.
   */
  static EnvelopeReader stored() {
    return new StoredReader();
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
