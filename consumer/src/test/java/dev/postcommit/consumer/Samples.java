package dev.postcommit.consumer;

import dev.postcommit.consumer.message.ReceivedMessage;
import dev.postcommit.envelope.Envelope;
import dev.postcommit.relay.Message;
import dev.postcommit.store.StoredEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Events and messages to test with. */
public final class Samples {
  public static final String ID = "0197a1b2-0000-7000-8000-000000000001";
  public static final String TYPE = "order.placed";
  public static final Instant CREATED = Instant.parse("2026-03-04T05:06:07Z");

  /** JSON values that lose something if they are parsed and written again. */
  public static final List<String> ODD_VALUES =
      List.of(
          "{}",
          "{\"total\":10.00}",
          "{\"total\": 1234567890123456789012345678901234567890}",
          "{\"name\":\"Zo\u00eb \\u00e9 \\\"quoted\\\" \ud83d\ude80\",\"data\":{\"eventId\":\"x\"}}",
          "{\"a\":{\"b\" : [1 , 2,\t3], \"c\":null}}",
          "{\"eventId\":\"other\",\"data\":1,\"eventType\":\"t\",\"timestamp\":\"x\"}",
          "[1, 2.50, {\"x\": [ ]}]",
          "[]",
          "\"text with , and } and \\\" in it\"",
          "\"\"",
          "\"null\"",
          "false",
          "0",
          "-0.0e10",
          "1234567890123456789012345678901234567890");

  private Samples() {}

  public static StoredEvent event(String payload, Map<String, String> headers) {
    return new StoredEvent(
        ID,
        "default",
        "orders",
        null,
        "order-42/placed",
        TYPE,
        "order",
        "42",
        "42",
        3,
        headers,
        bytes(payload),
        CREATED,
        1,
        null);
  }

  public static ReceivedMessage sent(Envelope envelope, String payload) {
    return sent(envelope, payload, Map.of());
  }

  public static ReceivedMessage sent(
      Envelope envelope, String payload, Map<String, String> headers) {
    Message message = envelope.wrap(event(payload, headers), "orders");
    return new ReceivedMessage(message.topic(), message.key(), message.headers(), message.body());
  }

  public static ReceivedMessage message(Map<String, String> headers, String body) {
    return new ReceivedMessage("orders", null, headers, bytes(body));
  }

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  public static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
