package dev.postcommit.kafka.deadletter;

import dev.postcommit.store.Decision;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The position of a dead letter in its topic, and whether it is still open.
 *
 * @param partition the partition of the topic
 * @param offset the offset in the partition
 * @param eventId the event's id, if known
 * @param replayed when and by whom it was replayed; null if it is open
 */
public record KafkaDeadLetterRef(
    int partition, long offset, @Nullable String eventId, @Nullable Replayed replayed) {

  /**
   * The replay of a dead letter by an operator.
   *
   * @param at when
   * @param decision who decided it and why
   */
  public record Replayed(Instant at, Decision decision) {}

  /** Partition and offset, as {@code 3:4711}; the dead letter can be found by it. */
  public String position() {
    return position(partition, offset);
  }

  static String position(int partition, long offset) {
    return partition + ":" + offset;
  }
}
