package dev.postcommit.server.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.cloudevents.CloudEventsEnvelope;
import dev.postcommit.consumer.envelope.EnvelopeReader;
import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.consumer.message.ReceivedMessage;
import dev.postcommit.envelope.Envelope;
import dev.postcommit.relay.Message;
import dev.postcommit.store.StoredEvent;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** What readers take out of CloudEvents is what our envelopes put in (R33). */
class CloudEventsRoundTripTest {
  private static final URI SOURCE = URI.create("/orders");
  private static final String TRACEPARENT =
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final Instant CREATED = Instant.parse("2026-03-04T05:06:07Z");

  private static final List<String> ODD_VALUES =
      List.of(
          "{}",
          "{\"total\": 10.00, \"n\":1234567890123456789012345678901234567890}",
          "{\"name\":\"Zo\u00eb \\u00e9 \ud83d\ude80\",\"data\":{\"id\":\"x\"}, \"type\" : null}",
          "[1 , 2,\t3]",
          "\"text with , and }\"",
          "\"\"",
          "false",
          "-0.0e10");

  /** R33. */
  @Test
  void jsonComesBackByteForByte() {
    for (String payload : ODD_VALUES) {
      expectBack(CloudEventsEnvelope.binary(SOURCE), bytes(payload));
      expectBack(CloudEventsEnvelope.structured(SOURCE), bytes(payload));
    }
  }

  /** R33. */
  @Test
  void whatIsNotJsonComesBackByteForByte() {
    for (byte[] payload : List.of(new byte[] {0, (byte) 0xff, 10}, bytes("text"), bytes("{"))) {
      expectBack(CloudEventsEnvelope.binary(SOURCE), payload);
      expectBack(CloudEventsEnvelope.structured(SOURCE), payload);
    }
  }

  @Test
  void cloudEventsOfOthersNeedNoHeadersOfOurs() {
    ReceivedEvent<byte[]> event =
        structured(
            """
            {"specversion": "1.0", "id": "1", "type": "t", "source": "s", "count": 3, "flag": true,
             "none": null, "datacontenttype": "text/xml; charset=utf-8", "data": "<a b=\\"c\\"/>"}""");

    assertThat(event.id()).isEqualTo("1");
    assertThat(event.occurredAt()).isNull();
    assertThat(event.metadata())
        .isEqualTo(
            Map.of("count", "3", "flag", "true", "datacontenttype", "text/xml; charset=utf-8"));
    assertThat(event.data()).isEqualTo(bytes("<a b=\"c\"/>"));
  }

  @Test
  void whatIsWrongIsNamedAndNotShown() {
    String start = "{\"specversion\":\"1.0\",\"id\":\"1\",\"type\":\"t\"";
    expectFailure(start + "}", "data is missing");
    expectFailure(start + ",\"data\":null}", "data is missing");
    expectFailure(start + ",\"data\":1,\"data_base64\":\"\"}", "data is there beside data_base64");
    expectFailure(start + ",\"data_base64\":\"secret!\"}", "data_base64 is not base64");
    expectFailure(start + ",\"data\":1,\"time\":\"secret\"}", "time is not a time");
    expectFailure(start + ",\"data\":1,\"more\":{\"secret\":1}}", "more is an object");
    expectFailure(start + ",\"data\":1,\"type\":\"secret\"}", "type is there more than once");
    expectFailure(start.replace("1.0", "0.3") + ",\"data\":1}", "specversion is not 1.0");
    expectFailure("{\"specversion\":\"1.0\",\"id\":\"\",\"data\":1}", "id is blank");
    expectFailure(
        Map.of("content-type", "application/cloudevents+avro", "event_id", "1", "event_type", "t"),
        "secret",
        "content-type is not application/cloudevents+json");
    expectFailure(
        Map.of("ce_specversion", "1.0", "ce_type", "t"), "1", "the header ce_id is missing");
    expectFailure(
        Map.of("ce_specversion", "1.0", "ce_type", "t", "ce_id", "1", "ce_time", "secret"),
        "1",
        "the header ce_time is not a time");
  }

  private static void expectBack(Envelope envelope, byte[] payload) {
    Message sent = envelope.wrap(event(payload), "orders");
    Map<String, String> foreign = new HashMap<>(sent.headers());
    foreign.keySet().removeIf(name -> !name.startsWith("ce_") && !name.equals("content-type"));
    for (EnvelopeReader reader : List.of(EnvelopeReader.detect(), EnvelopeReader.cloudEvents())) {
      ReceivedEvent<byte[]> event =
          reader.read(new ReceivedMessage("orders", "42", sent.headers(), sent.body()));
      assertThat(event.id()).isEqualTo("e1");
      assertThat(event.type()).isEqualTo("order.placed");
      assertThat(event.source()).isEqualTo("/orders");
      assertThat(event.occurredAt()).isEqualTo(CREATED);
      assertThat(event.aggregateType()).isEqualTo("order");
      assertThat(event.aggregateId()).isEqualTo("7");
      assertThat(event.metadata())
          .containsEntry("partitionkey", "42")
          .containsEntry("traceparent", TRACEPARENT)
          .containsOnlyKeys("partitionkey", "traceparent", "datacontenttype");
      assertThat(event.data()).isEqualTo(payload);
      ReceivedEvent<byte[]> same =
          reader.read(new ReceivedMessage("orders", null, foreign, sent.body()));
      assertThat(same.id()).isEqualTo("e1");
      assertThat(same.aggregateId()).isEqualTo("7");
      assertThat(same.aggregateType()).isNull();
      assertThat(Base64.getEncoder().encodeToString(same.data()))
          .isEqualTo(Base64.getEncoder().encodeToString(payload));
    }
  }

  private static ReceivedEvent<byte[]> structured(String body) {
    return read(Map.of("content-type", "application/cloudevents+json; charset=UTF-8"), body);
  }

  private static ReceivedEvent<byte[]> read(Map<String, String> headers, String body) {
    return EnvelopeReader.detect().read(new ReceivedMessage("orders", null, headers, bytes(body)));
  }

  private static void expectFailure(String body, String text) {
    expectFailure(Map.of("content-type", "application/cloudevents+json"), body, text);
  }

  private static void expectFailure(Map<String, String> headers, String body, String text) {
    Assertions.assertThatThrownBy(() -> read(headers, body))
        .isInstanceOf(PermanentFailureException.class)
        .hasMessageContaining(text)
        .hasMessageNotContaining("secret");
  }

  private static StoredEvent event(byte[] payload) {
    return new StoredEvent(
        "e1",
        "default",
        "orders",
        null,
        null,
        "order.placed",
        "order",
        "7",
        "42",
        1,
        Map.of("traceparent", TRACEPARENT),
        payload,
        CREATED,
        1,
        null);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
