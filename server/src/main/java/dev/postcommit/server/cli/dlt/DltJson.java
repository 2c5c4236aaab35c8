package dev.postcommit.server.cli.dlt;

import dev.postcommit.consumer.deadletter.DeadLetterContent;
import dev.postcommit.kafka.deadletter.KafkaDeadLetter;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterRef;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterRef.Replayed;
import dev.postcommit.server.table.JsonObject;
import org.jspecify.annotations.Nullable;

/** Letters in JSON. */
final class DltJson {
  private DltJson() {}

  /** A letter, except its headers and the original event. */
  static JsonObject letter(KafkaDeadLetter letter) {
    DeadLetterContent content = letter.content();
    JsonObject origin = new JsonObject().set("topic", content.originalTopic());
    content.origin().forEach(origin::set);
    @Nullable Replayed replayed = letter.ref().replayed();
    JsonObject document =
        name(letter.ref())
            .set("type", content.eventType())
            .set("key", letter.key())
            .set("consumer", content.consumerService())
            .set("attempts", content.attempts())
            .set("failed_at", letter.failedAt())
            .set("error", content.errorMessage())
            .set("origin", origin)
            .set("state", replayed == null ? "open" : "replayed");
    return replayed == null
        ? document
        : document
            .set("replayed_at", replayed.at())
            .set("operator", replayed.decision().operator())
            .set("reason", replayed.decision().reason());
  }

  /** What identifies a letter. */
  static JsonObject name(KafkaDeadLetterRef ref) {
    return new JsonObject().set("id", ref.eventId()).set("position", ref.position());
  }
}
