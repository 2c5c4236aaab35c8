package dev.postcommit.store;

import dev.postcommit.support.LogText;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event as it was read from its row. What the layout has no column for is null or empty; of type
 * and topic one stands for the other.
 *
 * @param id the row's id, as text
 * @param attempt the number of the delivery attempt this event was claimed for, from 1; of an event
 *     that is only looked at, the attempts so far
 * @param payload the bytes of the content; not copied, so not to be changed
 * @param defect what the row lacks to be delivered at all, or null if nothing
 */
@SuppressWarnings("ArrayRecordComponent") // compared by id; copying payloads would cost the relay
public record StoredEvent(
    String id,
    String namespace,
    String topic,
    @Nullable UUID tenant,
    @Nullable String dedupeKey,
    String type,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    @Nullable String key,
    int version,
    Map<String, String> headers,
    byte[] payload,
    Instant createdAt,
    int attempt,
    @Nullable String defect) {

  @Override
  public boolean equals(Object other) {
    return other instanceof StoredEvent that && id.equals(that.id) && attempt == that.attempt;
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  /** Names the event without showing its payload. */
  @Override
  public String toString() {
    return LogText.line(
        "StoredEvent[id=%s, type=%s, topic=%s, key=%s, attempt=%d, %d bytes]"
            .formatted(id, type, topic, key, attempt, payload.length));
  }
}
