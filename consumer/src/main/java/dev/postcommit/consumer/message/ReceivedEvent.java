package dev.postcommit.consumer.message;

import dev.postcommit.support.LogText;
import dev.postcommit.support.TraceParent;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event that was read from a message.
 *
 * @param <T> what its data is decoded into
 * @param id the event's id, by which a second delivery is recognised
 * @param type what happened
 * @param version the version of the data's shape, if the envelope says so
 * @param source the service it comes from, if the envelope says so
 * @param occurredAt when it happened or was written, if the envelope says so
 * @param aggregateType the kind of thing it happened to, if known
 * @param aggregateId which thing it happened to, if known
 * @param metadata the envelope's other fields: {@code traceId}, {@code correlationId}, {@code
 *     idempotencyKey} and {@code userId} of a built envelope, {@code userId}, {@code storeId} and
 *     {@code role} of a stored one's actor, a CloudEvent's further attributes
 * @param data the content
 * @param message the message it came in
 */
public record ReceivedEvent<T>(
    String id,
    String type,
    @Nullable Integer version,
    @Nullable String source,
    @Nullable Instant occurredAt,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    Map<String, String> metadata,
    T data,
    ReceivedMessage message) {

  /** This event with its data in another form. */
  public <U> ReceivedEvent<U> withData(U decoded) {
    return new ReceivedEvent<>(
        id,
        type,
        version,
        source,
        occurredAt,
        aggregateType,
        aggregateId,
        metadata,
        decoded,
        message);
  }

  /** The key of the message, if it has one. */
  public @Nullable String key() {
    return message.key();
  }

  /** The headers of the message. */
  public Map<String, String> headers() {
    return message.headers();
  }

  /**
   * The trace that the event is part of, if known: the header {@code traceId}, which relays send,
   * else the trace of the header {@code traceparent}, else the {@code traceId} of the envelope.
   */
  public @Nullable String traceId() {
    String own = message.header("traceId");
    if (own != null) {
      return own;
    }
    String traceId = TraceParent.traceId(headers().get(TraceParent.HEADER));
    return traceId != null ? traceId : metadata.get("traceId");
  }

  /** The id shared by operations that belong together, from the headers or else the envelope. */
  public @Nullable String correlationId() {
    String header = message.header("correlationId");
    return header != null ? header : metadata.get("correlationId");
  }

  /** Names the event without showing its data. */
  @Override
  public String toString() {
    return LogText.line("ReceivedEvent[id=%s, type=%s, %s]".formatted(id, type, message));
  }
}
