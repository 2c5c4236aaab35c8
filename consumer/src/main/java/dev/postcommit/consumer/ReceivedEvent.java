package dev.postcommit.consumer;

import dev.postcommit.support.LogText;
import dev.postcommit.support.TraceParent;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event as it was taken out of its message.
 *
 * @param <T> what its data is decoded into
 * @param id the event's id, by which a second delivery is known
 * @param type what happened
 * @param version the version of the data's shape, if the envelope tells it
 * @param source the service it comes from, if the envelope tells it
 * @param occurredAt when it happened or was written, if the envelope tells it
 * @param aggregateType the kind of thing it happened to, if known
 * @param aggregateId which thing it happened to, if known
 * @param metadata what else the envelope tells: {@code traceId}, {@code correlationId}, {@code
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
   * The trace that the event is part of, if that is known: the header {@code traceId}, which is
   * what relays call it by, or else the one of the header {@code traceparent}, or else the {@code
   * traceId} of the envelope.
   */
  public @Nullable String traceId() {
    String own = Received.header(message, "traceId");
    if (own != null) {
      return own;
    }
    String traceId = TraceParent.traceId(headers().get(TraceParent.HEADER));
    return traceId != null ? traceId : metadata.get("traceId");
  }

  /** What the operations that belong together have in common, if headers or envelope tell it. */
  public @Nullable String correlationId() {
    return told("correlationId");
  }

  private @Nullable String told(String name) {
    String header = Received.header(message, name);
    return header != null ? header : metadata.get(name);
  }

  /** Names the event without showing its data. */
  @Override
  public String toString() {
    return LogText.line("ReceivedEvent[id=%s, type=%s, %s]".formatted(id, type, message));
  }
}
