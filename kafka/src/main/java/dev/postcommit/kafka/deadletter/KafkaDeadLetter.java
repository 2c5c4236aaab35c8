package dev.postcommit.kafka.deadletter;

import dev.postcommit.consumer.deadletter.DeadLetterContent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter in its topic.
 *
 * @param ref its position
 * @param key its key, which is that of the original message
 * @param writtenAt when it was written to the topic
 * @param content its content
 */
public record KafkaDeadLetter(
    KafkaDeadLetterRef ref, @Nullable String key, Instant writtenAt, DeadLetterContent content) {

  /** When the event was given up, or else when the dead letter was written. */
  public Instant failedAt() {
    Instant told = content.failedAt();
    return told != null ? told : writtenAt;
  }
}
