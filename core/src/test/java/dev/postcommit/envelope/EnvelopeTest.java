package dev.postcommit.envelope;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.PostcommitException;
import dev.postcommit.relay.Message;
import dev.postcommit.store.StoredEvent;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EnvelopeTest {
  private static final List<String> NOT_JSON =
      List.of(
          "", " ", "{", "{}{}", "{\"secret\":}", "nul", "'a'", "1 2", "[1,]", "secret", "{1:2}");

  private static final String HEAD = "{\"messageId\":\"" + Samples.ID + "\"";

  private static String messageId(String payload) {
    return Samples.body(Envelope.messageId(), payload);
  }

  private static String metadata(Map<String, String> headers) {
    Message message = Envelope.built("s").wrap(Samples.full("1", headers), "t");
    String body = new String(message.body(), UTF_8);
    return body.substring(body.indexOf("\"metadata\":") + 11, body.length() - 1);
  }

  @Test
  @DisplayName("R23: every message carries the attributes, its key and its topic")
  void everyMessageCarriesTheAttributes() {
    String stored =
        "{\"version\":1,\"eventId\":\"%s\",\"occurredAt\":\"2026-01-01T00:00:00Z\",\"data\":{}}"
            .formatted(Samples.ID);
    for (Envelope envelope :
        List.of(Envelope.raw(), Envelope.messageId(), Envelope.built("s"), Envelope.stored())) {
      Message message = envelope.wrap(Samples.full(stored, Map.of("own", "1")), "the-topic");

      assertThat(message.topic()).isEqualTo("the-topic");
      assertThat(message.key()).isEqualTo("key-42");
      assertThat(message.headers())
          .containsExactlyInAnyOrderEntriesOf(
              Map.of(
                  "own",
                  "1",
                  "event_id",
                  Samples.ID,
                  "event_type",
                  "order.order.placed.v1",
                  "aggregate_type",
                  "order",
                  "aggregate_id",
                  "42",
                  "created_at",
                  "2026-03-04T05:06:07.123456Z"));
    }
  }

  @Test
  @DisplayName("R33: raw bodies are the payload as it was written, JSON or not")
  void rawBodiesAreThePayload() {
    byte[] bytes = {0, -1, 127};
    assertThat(Envelope.raw().wrap(Samples.bare(bytes), "t").body()).isSameAs(bytes);
  }

  @Test
  void objectsGetTheMessageIdFirstAndKeepTheirFieldsAsWritten() {
    assertThat(messageId("{}")).isEqualTo(HEAD + "}");
    assertThat(messageId(" { } ")).isEqualTo(HEAD + "}");
    assertThat(messageId("{\"a\":1}")).isEqualTo(HEAD + ",\"a\":1}");
    assertThat(messageId("\n{\n\t\"a\" : [ 1 , 2 ] ,\r\n \"b\" : \", \"\n}\n"))
        .isEqualTo(HEAD + ",\"a\" : [ 1 , 2 ],\"b\" : \", \"}");
    assertThat(messageId("{\"é😀\":\"é😀\",\"n\":null,\"t\":true,\"x\":-0.10E+400}"))
        .isEqualTo(HEAD + ",\"é😀\":\"é😀\",\"n\":null,\"t\":true,\"x\":-0.10E+400}");
  }

  @Test
  void aMessageIdOfThePayloadIsReplacedWhereverItStands() {
    assertThat(messageId("{\"messageId\":1}")).isEqualTo(HEAD + "}");
    assertThat(messageId("{\"messageId\":{\"a\":[1,2]},\"b\":2}")).isEqualTo(HEAD + ",\"b\":2}");
    assertThat(messageId("{\"a\":1 , \"messageId\":\"x\", \"b\":2}"))
        .isEqualTo(HEAD + ",\"a\":1,\"b\":2}");
    assertThat(messageId("{\"a\":1,\"messageId\":null,\"messageId\":2}"))
        .isEqualTo(HEAD + ",\"a\":1}");
    assertThat(messageId("{\"message\\u0049d\":1,\"a\":1}")).isEqualTo(HEAD + ",\"a\":1}");
    assertThat(messageId("{\"a\":{\"messageId\":1}}"))
        .isEqualTo(HEAD + ",\"a\":{\"messageId\":1}}");
  }

  @Test
  void otherValuesBecomeThePayloadBesideTheMessageId() {
    for (String value :
        List.of("[]", "[1, {\"messageId\":2}]", "\"é😀\"", "0.10", "1e400", "true", "null")) {
      assertThat(messageId(value)).isEqualTo(HEAD + ",\"payload\":" + value + "}");
    }
  }

  @Test
  void largeObjectsAreCopiedWhole() {
    StringBuilder fields = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      fields.append(",\"feld-ü-").append(i).append("\":\"").append("é".repeat(i % 50)).append('"');
    }
    assertThat(messageId("{" + fields.substring(1) + "}")).isEqualTo(HEAD + fields + "}");
  }

  @Test
  void payloadsThatAreNotJsonAreRefusedWithoutShowingThem() {
    for (Envelope envelope :
        List.of(Envelope.messageId(), Envelope.built("s"), Envelope.stored())) {
      for (String payload : NOT_JSON) {
        refused(envelope, Samples.bare(payload));
      }
      refused(envelope, Samples.bare(new byte[] {0, -1, 127}));
      refused(envelope, Samples.bare("{\"a\":1}".getBytes(UTF_16BE)));
      refused(envelope, Samples.bare("\ufeff{\"a\":1}"));
      refused(envelope, Samples.bare("[".repeat(100_000)));
    }
  }

  private static void refused(Envelope envelope, StoredEvent event) {
    assertThatThrownBy(() -> envelope.wrap(event, "t"))
        .isInstanceOf(PostcommitException.class)
        .hasMessageContaining("payload is not")
        .hasMessageNotContaining("secret");
  }

  @Test
  void anyJsonValueIsEmbeddedAsItWasWritten() {
    for (String value :
        List.of("{}", "[]", "null", "\"\\ud83d\"", "-1.50e-7", " {\"a\" :\t[ 1e400 ] }\n")) {
      assertThat(Samples.body(Envelope.built("s"), value))
          .contains("\"data\":" + value + ",\"meta");
    }
  }

  @Test
  void theTraceIdComesFromTheHeadersOrIsTheEventId() {
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    String traceparent = "00-" + trace + "-00f067aa0ba902b7-01";
    assertThat(metadata(Map.of("traceId", "t-1", "traceparent", traceparent)))
        .startsWith("{\"traceId\":\"t-1\",");
    assertThat(metadata(Map.of("traceId", " ", "traceparent", traceparent)))
        .startsWith("{\"traceId\":\"" + trace + "\",");
    for (String invalid :
        List.of(
            "",
            "garbage",
            "ff-" + trace + "-00f067aa0ba902b7-01",
            "00-" + "0".repeat(32) + "-00f067aa0ba902b7-01",
            "00-" + trace + "-00f067aa0ba902b7")) {
      assertThat(metadata(Map.of("traceparent", invalid)))
          .startsWith("{\"traceId\":\"" + Samples.ID + "\",");
    }
  }

  @Test
  void theOtherMetadataComesFromHeadersAndTheDedupeKey() {
    assertThat(metadata(Map.of()))
        .isEqualTo(
            "{\"traceId\":\"%s\",\"correlationId\":\"%s\",\"idempotencyKey\":\"dedupe/1\"}"
                .formatted(Samples.ID, Samples.ID));
    assertThat(
            metadata(
                Map.of(
                    "traceId", "t", "correlationId", "c", "idempotencyKey", "i", "userId", "ü\n")))
        .isEqualTo(
            "{\"traceId\":\"t\",\"correlationId\":\"c\",\"idempotencyKey\":\"i\",\"userId\":\"ü\\n\"}");
  }

  @Test
  void aBlankSourceIsRefused() {
    assertThatThrownBy(() -> Envelope.built(" "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("source must not be blank");
  }
}
