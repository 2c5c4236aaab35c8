package dev.postcommit.consumer;

import dev.postcommit.support.LogText;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What came from the broker.
 *
 * @param topic where it was
 * @param key its key, if it has one
 * @param headers its headers
 * @param body its content; not copied, so not to be changed. Null if it has none
 * @param origin where exactly it was found, in the broker's own terms, for example {@code
 *     {partition=3, offset=4711}}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; copying bodies would cost the consumer
public record ReceivedMessage(
    String topic,
    @Nullable String key,
    Map<String, String> headers,
    byte @Nullable [] body,
    Map<String, String> origin) {

  /** A message of which no more is known. */
  public ReceivedMessage(
      String topic, @Nullable String key, Map<String, String> headers, byte @Nullable [] body) {
    this(topic, key, headers, body, Map.of());
  }

  /** Names the message without showing its content. */
  @Override
  public String toString() {
    return LogText.line(
        "ReceivedMessage[topic=%s, key=%s, origin=%s, %d bytes]"
            .formatted(topic, key, origin, body == null ? 0 : body.length));
  }
}
