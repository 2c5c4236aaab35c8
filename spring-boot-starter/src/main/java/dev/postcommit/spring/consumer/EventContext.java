package dev.postcommit.spring.consumer;

import dev.postcommit.consumer.message.ReceivedEvent;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an event handler may want to know of an event besides its data.
 *
 * @param received the event as it was received
 */
public record EventContext(ReceivedEvent<byte[]> received) {

  /** The event's id, by which a second delivery is recognised. */
  public String id() {
    return received.id();
  }

  /** What happened. */
  public String type() {
    return received.type();
  }

  /** The topic it came from. */
  public String topic() {
    return received.message().topic();
  }

  /** The key of its message, if it has one. */
  public @Nullable String key() {
    return received.key();
  }

  /** The headers of its message. */
  public Map<String, String> headers() {
    return received.headers();
  }

  /** When it happened or was written, if that is known. */
  public @Nullable Instant occurredAt() {
    return received.occurredAt();
  }

  /** The trace that it is part of, if that is known. */
  public @Nullable String traceId() {
    return received.traceId();
  }

  /** The id shared by operations that belong together, if there is one. */
  public @Nullable String correlationId() {
    return received.correlationId();
  }
}
