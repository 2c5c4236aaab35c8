package dev.postcommit.relay;

import dev.postcommit.support.LogText;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What goes on the broker.
 *
 * @param topic where it goes; not blank
 * @param key messages of one key arrive in the order they were sent; null for no order
 * @param headers its headers, in order
 * @param body its content; not copied, so not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; copying bodies would cost the relay
public record Message(
    String topic, @Nullable String key, Map<String, String> headers, byte[] body) {

  /** Refuses a blank topic: no broker has one, and some would be asked for it again and again. */
  public Message {
    if (topic == null || topic.isBlank()) {
      throw new IllegalArgumentException(
          "the topic is blank; record one with the event, or choose a router that names one");
    }
  }

  /** Names the message without showing its content. */
  @Override
  public String toString() {
    return LogText.line("Message[topic=%s, key=%s, %d bytes]".formatted(topic, key, body.length));
  }
}
