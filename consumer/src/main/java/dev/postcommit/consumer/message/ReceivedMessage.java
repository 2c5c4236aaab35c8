package dev.postcommit.consumer.message;

import dev.postcommit.support.LogText;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as it came from the broker.
 *
 * @param topic the topic it was in
 * @param key its key, if it has one
 * @param headers its headers
 * @param body its content; not copied, so do not change it. Null if it has none
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

  /** A header, or null if it is missing or blank. */
  public @Nullable String header(String name) {
    String value = headers.get(name);
    return value == null || value.isBlank() ? null : value;
  }

  /** Names the message without showing its content. */
  @Override
  public String toString() {
    return LogText.line(
        "ReceivedMessage[topic=%s, key=%s, origin=%s, %d bytes]"
            .formatted(topic, key, origin, body == null ? 0 : body.length));
  }
}
