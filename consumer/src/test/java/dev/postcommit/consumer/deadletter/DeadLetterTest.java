package dev.postcommit.consumer.deadletter;

import static dev.postcommit.consumer.Samples.ID;
import static dev.postcommit.consumer.Samples.ODD_VALUES;
import static dev.postcommit.consumer.Samples.TYPE;
import static dev.postcommit.consumer.Samples.bytes;
import static dev.postcommit.consumer.Samples.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.consumer.deadletter.DeadLetterContent.Kept;
import dev.postcommit.consumer.message.ReceivedMessage;
import dev.postcommit.support.JsonBytes;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Dead letters and what is read out of them again (R39). */
class DeadLetterTest {
  private static final Instant FAILED = Instant.parse("2026-03-04T05:06:08.123Z");
  private static final Map<String, String> ORIGIN =
      Map.of("partition", "3", "offset", "4711", "timestamp", "1772600767000");

  /** R39. */
  @Test
  void letterHasExactlyTheAgreedFields() {
    DeadLetter letter = letter(bytes("{\"total\": 10.00}"), Map.of());

    assertThat(letter.topic()).isEqualTo("orders.dlt");
    assertThat(text(letter.body()))
        .isEqualTo(
            "{\"eventId\":\"%s\",\"originalEvent\":{\"total\": 10.00},\"errorMessage\":\"no stock\",\"failedAt\":\"2026-03-04T05:06:08.123Z\",\"consumerService\":\"inventory-service\"}"
                .formatted(ID));
  }

  /** R39. */
  @Test
  void headersTellWhereTheMessageWasAndWhatHappened() {
    Map<String, String> headers = letter(bytes("1"), Map.of("event_type", "given")).headers();

    assertThat(headers)
        .isEqualTo(
            Map.of(
                "dlt_original_topic", "orders",
                "dlt_original_partition", "3",
                "dlt_original_offset", "4711",
                "dlt_original_timestamp", "1772600767000",
                "dlt_original_encoding", "json",
                "dlt_error_class", "java.lang.IllegalStateException",
                "dlt_attempts", "3",
                "dlt_consumer", "inventory-service"));
    assertThat(letter(bytes("1"), Map.of()).headers())
        .containsEntry("event_type", TYPE)
        .containsEntry("dlt_added", "event_type");
  }

  /** R39. */
  @Test
  void originalBytesComeBackExactly() {
    for (String body : ODD_VALUES) {
      expectBack(bytes(body), "json");
    }
    expectBack(bytes("null"), "json");
    for (String body :
        List.of(" {} ", "\t1", "not JSON", "", "1 2", "[".repeat(1000) + "]".repeat(1000))) {
      expectBack(bytes(body), "base64");
    }
    expectBack(new byte[] {0, (byte) 0xff, (byte) 0xfe, 10}, "base64");
  }

  @Test
  void whatWasReadIsWhatWasSent() {
    DeadLetterContent content = read(letter(bytes("1"), Map.of("trace", "t", "event_id", "h")));

    assertThat(content.eventId()).isEqualTo(ID);
    assertThat(content.eventType()).isEqualTo(TYPE);
    assertThat(content.errorMessage()).isEqualTo("no stock");
    assertThat(content.attempts()).isEqualTo(3);
    assertThat(content.failedAt()).isEqualTo(FAILED);
    assertThat(content.consumerService()).isEqualTo("inventory-service");
    assertThat(content.originalTopic()).isEqualTo("orders");
    assertThat(content.origin()).isEqualTo(ORIGIN);
    assertThat(content.originalHeaders()).isEqualTo(Map.of("trace", "t", "event_id", "h"));
  }

  @Test
  void aBodyMayBeOmittedOrMissing() {
    DeadLetter omitted = letter(bytes("{\"large\":true}"), Map.of()).withoutBody();
    DeadLetter none = letter(null, Map.of());

    assertThat(text(omitted.body())).contains("\"originalEvent\":null").doesNotContain("large");
    assertThat(read(omitted).kept()).isEqualTo(Kept.OMITTED);
    assertThat(read(omitted).original()).isNull();
    assertThat(read(omitted).origin()).isEqualTo(ORIGIN);
    assertThat(read(none).kept()).isEqualTo(Kept.NONE);
    assertThat(read(none.withoutBody()).kept()).isEqualTo(Kept.NONE);
  }

  @Test
  void anyTextCanBeWritten() {
    String half = "\ud83d";
    DeadLetter letter =
        new DeadLetter(
            half,
            null,
            new ReceivedMessage("t", null, Map.of(), bytes("1")),
            "x".repeat(1999) + "\ud83d\ude80" + "y".repeat(5000),
            "E",
            1,
            FAILED,
            half);

    assertThat(JsonBytes.isJson(letter.body())).isTrue();
    assertThat(read(letter).errorMessage()).isEqualTo("x".repeat(1999) + "?");
    assertThat(read(letter).eventId()).isEqualTo("?");
    assertThat(letter.headers()).doesNotContainKey("event_type");
  }

  /** R39: letters of services that know nothing of our headers. */
  @Test
  void lettersOfOtherServicesAreRead() {
    DeadLetterContent content =
        foreign(
            """
            {"eventId": "e1", "originalEvent": {"eventId": "e1", "eventType": "order.paid", "total": 1.0 },
             "errorMessage": "boom", "failedAt": "2026-03-04T05:06:08", "consumerService": "mailer", "more": 1}
            """);

    assertThat(content.eventId()).isEqualTo("e1");
    assertThat(content.eventType()).isEqualTo("order.paid");
    assertThat(text(content.original()))
        .isEqualTo("{\"eventId\": \"e1\", \"eventType\": \"order.paid\", \"total\": 1.0 }");
    assertThat(content.failedAt()).isEqualTo(Instant.parse("2026-03-04T05:06:08Z"));
    assertThat(content.consumerService()).isEqualTo("mailer");
    assertThat(content.originalTopic()).isEqualTo("orders");
    assertThat(content.origin()).isEmpty();
  }

  @Test
  void whatIsNoLetterIsReadAsFarAsItGoes() {
    for (String body : List.of("", "x", "[]", "{}", "{\"originalEvent\":null,\"eventId\":1}")) {
      DeadLetterContent content = foreign(body);

      assertThat(content.kept()).isEqualTo(Kept.UNKNOWN);
      assertThat(content.original()).isNull();
      assertThat(content.eventId()).isNull();
      assertThat(content.originalTopic()).isEqualTo("orders");
    }
  }

  private static void expectBack(byte[] original, String encoding) {
    DeadLetter letter = letter(original, Map.of());

    assertThat(letter.headers()).containsEntry("dlt_original_encoding", encoding);
    assertThat(JsonBytes.isJson(letter.body())).isTrue();
    assertThat(read(letter).kept()).isEqualTo(Kept.IN_LETTER);
    assertThat(read(letter).original()).isEqualTo(original);
  }

  private static DeadLetterContent foreign(String body) {
    return DeadLetterContent.read(new ReceivedMessage("orders.dlt", null, Map.of(), bytes(body)));
  }

  private static DeadLetter letter(byte @Nullable [] body, Map<String, String> headers) {
    return new DeadLetter(
        ID,
        TYPE,
        new ReceivedMessage("orders", "42", headers, body, ORIGIN),
        "no stock",
        "java.lang.IllegalStateException",
        3,
        FAILED,
        "inventory-service");
  }

  private static DeadLetterContent read(DeadLetter letter) {
    Map<String, String> headers = new HashMap<>(letter.message().headers());
    headers.putAll(letter.headers());
    return DeadLetterContent.read(
        new ReceivedMessage(letter.topic(), "42", headers, letter.body()));
  }
}
