package dev.postcommit.kafka.deadletter;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.postcommit.consumer.deadletter.DeadLetter;
import dev.postcommit.consumer.deadletter.DeadLetterContent;
import dev.postcommit.kafka.consumer.ReceivedRecords;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterRef.Replayed;
import dev.postcommit.store.Decision;
import dev.postcommit.support.JsonBytes;
import dev.postcommit.support.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The records of a dead-letter topic: dead letters, and decisions about them, each in the partition
 * of its dead letter.
 */
final class DeadLetterRecords {
  private static final String DECISION = DeadLetter.HEADER_PREFIX + "decision";
  private static final String DECIDED_OFFSET = DeadLetter.HEADER_PREFIX + "decided_offset";
  private static final String REPLAYED = "replayed";

  private DeadLetterRecords() {}

  /** Whether a record is a decision rather than a dead letter. */
  static boolean isDecision(ConsumerRecord<byte[], byte[]> record) {
    return record.headers().lastHeader(DECISION) != null;
  }

  /** The dead letter in a record. */
  static KafkaDeadLetter letter(
      ConsumerRecord<byte[], byte[]> record, @Nullable Replayed replayed) {
    DeadLetterContent content = DeadLetterContent.read(ReceivedRecords.message(record));
    return new KafkaDeadLetter(
        new KafkaDeadLetterRef(record.partition(), record.offset(), content.eventId(), replayed),
        ReceivedRecords.key(record),
        Instant.ofEpochMilli(record.timestamp()),
        content);
  }

  /** Copies the headers that come from the original message, unchanged. */
  static void copyOriginal(Headers from, Headers to) {
    Header added = from.lastHeader(DeadLetter.HEADER_PREFIX + "added");
    String name = added == null ? null : text(added.value());
    for (Header header : from) {
      if (DeadLetterContent.isOriginal(header.key(), name)) {
        to.add(header);
      }
    }
  }

  /** The record of the decision to replay a dead letter. */
  static ProducerRecord<byte[], byte[]> decision(
      ConsumerRecord<byte[], byte[]> letter,
      @Nullable String eventId,
      Instant at,
      Decision decision) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            letter.topic(), letter.partition(), letter.key(), body(eventId, at, decision));
    record.headers().add(DECISION, bytes(REPLAYED));
    record.headers().add(DECIDED_OFFSET, bytes(Long.toString(letter.offset())));
    return record;
  }

  private static byte[] body(@Nullable String eventId, Instant at, Decision decision) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = JsonBytes.generator(out)) {
      json.writeStartObject();
      // Via bytes: half of a surrogate pair, which JSON can escape, cannot be written.
      json.writeStringField("eventId", eventId == null ? null : text(bytes(eventId)));
      json.writeStringField("replayedAt", at.toString());
      json.writeStringField("operator", decision.operator());
      if (decision.reason() != null) {
        json.writeStringField("reason", decision.reason());
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** The offset of the dead letter that a decision is about; null if it is missing. */
  static @Nullable Long decidedOffset(ConsumerRecord<byte[], byte[]> record) {
    Header header = record.headers().lastHeader(DECIDED_OFFSET);
    try {
      return header == null ? null : Long.valueOf(text(header.value()));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** The content of a decision, with defaults for missing fields. */
  static Replayed replayed(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> fields = fields(record.value());
    String operator = fields.getOrDefault("operator", "");
    String reason = fields.getOrDefault("reason", "");
    return new Replayed(
        time(fields.get("replayedAt"), record.timestamp()),
        new Decision(operator.isBlank() ? "unknown" : operator, reason.isBlank() ? null : reason));
  }

  private static Map<String, String> fields(byte @Nullable [] body) {
    return body == null || !JsonBytes.isJson(body) ? Map.of() : JsonText.read(text(body));
  }

  private static Instant time(@Nullable String text, long otherwise) {
    try {
      return text == null ? Instant.ofEpochMilli(otherwise) : Instant.parse(text);
    } catch (DateTimeException e) {
      return Instant.ofEpochMilli(otherwise);
    }
  }

  private static String text(byte @Nullable [] bytes) {
    return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
