package dev.postcommit.kafka.deadletter;

import java.util.List;
import java.util.Map;

/**
 * The result of replaying dead letters.
 *
 * @param replayed those that were replayed
 * @param failed why each of the others could not be; they are still open
 */
public record KafkaReplay(
    List<KafkaDeadLetterRef> replayed, Map<KafkaDeadLetterRef, String> failed) {

  static final KafkaReplay NOTHING = new KafkaReplay(List.of(), Map.of());
}
