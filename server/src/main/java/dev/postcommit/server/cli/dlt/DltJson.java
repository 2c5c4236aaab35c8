package dev.postcommit.server.cli.dlt;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.postcommit.consumer.deadletter.DeadLetterContent;
import dev.postcommit.kafka.deadletter.KafkaDeadLetter;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterRef;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterRef.Replayed;
import java.io.IOException;
import java.util.Map;

/** The fields of a letter in JSON, except its headers and the original event. */
final class DltJson {
  private DltJson() {}

  static void write(JsonGenerator fields, KafkaDeadLetter letter) throws IOException {
    DeadLetterContent content = letter.content();
    name(fields, letter.ref());
    fields.writeStringField("type", content.eventType());
    fields.writeStringField("key", letter.key());
    fields.writeStringField("consumer", content.consumerService());
    if (content.attempts() == null) {
      fields.writeNullField("attempts");
    } else {
      fields.writeNumberField("attempts", content.attempts());
    }
    fields.writeStringField("failed_at", letter.failedAt().toString());
    fields.writeStringField("error", content.errorMessage());
    fields.writeObjectFieldStart("origin");
    fields.writeStringField("topic", content.originalTopic());
    for (Map.Entry<String, String> entry : content.origin().entrySet()) {
      fields.writeStringField(entry.getKey(), entry.getValue());
    }
    fields.writeEndObject();
    Replayed replayed = letter.ref().replayed();
    fields.writeStringField("state", replayed == null ? "open" : "replayed");
    if (replayed != null) {
      fields.writeStringField("replayed_at", replayed.at().toString());
      fields.writeStringField("operator", replayed.decision().operator());
      fields.writeStringField("reason", replayed.decision().reason());
    }
  }

  /** The fields that identify a letter. */
  static void name(JsonGenerator fields, KafkaDeadLetterRef ref) throws IOException {
    fields.writeStringField("id", ref.eventId());
    fields.writeStringField("position", ref.position());
  }
}
