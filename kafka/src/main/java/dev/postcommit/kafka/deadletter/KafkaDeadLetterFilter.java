package dev.postcommit.kafka.deadletter;

import dev.postcommit.consumer.deadletter.DeadLetterContent;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects dead letters: those that match every condition that is set.
 *
 * @param ids those of these events or at these positions, or null for any
 * @param type those of events of this type, or null for any
 * @param consumer those of this consumer, or null for any
 * @param key those with this key, or null for any
 * @param error those whose error message contains this text, or null for any
 * @param failedFrom those of events given up at this time or later, or null for any
 * @param failedBefore those of events given up before this time, or null for any
 */
public record KafkaDeadLetterFilter(
    @Nullable Set<String> ids,
    @Nullable String type,
    @Nullable String consumer,
    @Nullable String key,
    @Nullable String error,
    @Nullable Instant failedFrom,
    @Nullable Instant failedBefore) {

  /** Keeps its own copy of the ids. */
  public KafkaDeadLetterFilter {
    ids = ids == null ? null : Set.copyOf(ids);
  }

  /** All dead letters. */
  public static KafkaDeadLetterFilter all() {
    return new KafkaDeadLetterFilter(null, null, null, null, null, null, null);
  }

  /** The dead letters of these events or at these positions. */
  public static KafkaDeadLetterFilter ids(Set<String> ids) {
    return new KafkaDeadLetterFilter(ids, null, null, null, null, null, null);
  }

  /** This filter with other ids. */
  public KafkaDeadLetterFilter withIds(Set<String> others) {
    return new KafkaDeadLetterFilter(others, type, consumer, key, error, failedFrom, failedBefore);
  }

  boolean matches(KafkaDeadLetter letter) {
    DeadLetterContent content = letter.content();
    Instant failedAt = letter.failedAt();
    return matchesId(letter.ref())
        && (type == null || type.equals(content.eventType()))
        && (consumer == null || consumer.equals(content.consumerService()))
        && (key == null || key.equals(letter.key()))
        && (error == null || contains(content.errorMessage(), error))
        && (failedFrom == null || !failedAt.isBefore(failedFrom))
        && (failedBefore == null || failedAt.isBefore(failedBefore));
  }

  private boolean matchesId(KafkaDeadLetterRef ref) {
    return ids == null
        || ids.contains(ref.position())
        || (ref.eventId() != null && ids.contains(ref.eventId()));
  }

  private static boolean contains(@Nullable String text, String part) {
    return text != null && text.contains(part);
  }
}
