package dev.postcommit.kafka.deadletter;

import dev.postcommit.store.Decision;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a letter is in its dead-letter topic, and whether it is still open.
 *
 * @param partition the partition of the topic
 * @param offset the offset in the partition
 * @param eventId the event's id, if the letter tells it
 * @param replayed when and by whom it was replayed; null if it is open
 */
public record KafkaDeadLetterRef(
    int partition, long offset, @Nullable String eventId, @Nullable Replayed replayed) {

  /**
   * That an operator has replayed a letter.
   *
   * @param at when
   * @param decision who decided it and why
   */
  public record Replayed(Instant at, Decision decision) {}

  /** The place by which the letter can be asked for, as {@code 3:4711}. */
  public String position() {
    return position(partition, offset);
  }

  static String position(int partition, long offset) {
    return partition + ":" + offset;
  }
}
