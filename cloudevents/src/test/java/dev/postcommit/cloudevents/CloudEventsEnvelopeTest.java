package dev.postcommit.cloudevents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.envelope.Envelope;
import dev.postcommit.relay.Message;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.support.JsonText;
import io.cloudevents.CloudEvent;
import io.cloudevents.CloudEventData;
import io.cloudevents.SpecVersion;
import io.cloudevents.core.data.BytesCloudEventData;
import io.cloudevents.core.message.MessageReader;
import io.cloudevents.core.message.impl.BaseGenericBinaryMessageReaderImpl;
import io.cloudevents.core.message.impl.GenericStructuredMessageReader;
import io.cloudevents.core.message.impl.MessageUtils;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CloudEventsEnvelopeTest {
  private static final String ID = "0197a1b2-0000-7000-8000-000000000001";
  private static final String TRACEPARENT =
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final URI SOURCE = URI.create("https://example.com/orders");
  private static final String PAYLOAD =
      "{\"total\": 12345678901234567890.123456789, \"huge\":1e400,\"name\":\"Zoë \\u00e9 😀\"}";

  private static final Envelope BINARY = CloudEventsEnvelope.binary(SOURCE);
  private static final Envelope STRUCTURED = CloudEventsEnvelope.structured(SOURCE);

  private static StoredEvent full(byte[] payload) {
    return event("order", "42", "key-42", Map.of("traceparent", TRACEPARENT), payload);
  }

  private static StoredEvent full(String payload) {
    return full(payload.getBytes(UTF_8));
  }

  private static StoredEvent event(
      String aggregateType,
      String aggregateId,
      String key,
      Map<String, String> headers,
      byte[] payload) {
    return new StoredEvent(
        ID,
        "default",
        "t",
        null,
        null,
        "order.placed",
        aggregateType,
        aggregateId,
        key,
        1,
        headers,
        payload,
        Instant.parse("2026-03-04T05:06:07.123456Z"),
        1,
        null);
  }

  /** Reads a message as a consumer with the SDK would. */
  private static CloudEvent read(Message message) {
    Map<String, String> headers = message.headers();
    MessageReader reader =
        MessageUtils.parseStructuredOrBinaryMessage(
            () -> headers.get("content-type"),
            format -> new GenericStructuredMessageReader(format, message.body()),
            () -> headers.get("ce_specversion"),
            version -> new HeaderReader(version, message));
    return reader.toEvent();
  }

  private static byte[] golden(String name) throws IOException {
    try (InputStream file = CloudEventsEnvelopeTest.class.getResourceAsStream("/golden/" + name)) {
      return file.readAllBytes();
    }
  }

  private static void same(byte[] actual, String file) throws IOException {
    assertThat(new String(actual, UTF_8)).isEqualTo(new String(golden(file), UTF_8));
    assertThat(actual).isEqualTo(golden(file));
  }

  @Test
  @DisplayName("R33: binary CloudEvents")
  void binary() throws IOException {
    Message message = BINARY.wrap(full(PAYLOAD), "t");
    same(JsonText.write(message.headers()).getBytes(UTF_8), "binary-headers.json");
    same(message.body(), "binary.json");
  }

  @Test
  @DisplayName("R33: structured CloudEvents")
  void structured() throws IOException {
    Message message = STRUCTURED.wrap(full(PAYLOAD), "t");
    same(JsonText.write(message.headers()).getBytes(UTF_8), "structured-headers.json");
    same(message.body(), "structured.json");
    same(STRUCTURED.wrap(full(new byte[] {0, -1, 127}), "t").body(), "structured-bytes.json");
  }

  @Test
  void messagesHaveTheTopicTheKeyAndTheAttributesOfEveryMessage() {
    for (Envelope envelope : List.of(BINARY, STRUCTURED)) {
      Message message = envelope.wrap(full("{}"), "the-topic");

      assertThat(message.topic()).isEqualTo("the-topic");
      assertThat(message.key()).isEqualTo("key-42");
      assertThat(message.headers())
          .containsEntry("event_id", ID)
          .containsEntry("event_type", "order.placed")
          .containsEntry("aggregate_type", "order")
          .containsEntry("aggregate_id", "42")
          .containsEntry("created_at", "2026-03-04T05:06:07.123456Z")
          .containsEntry("traceparent", TRACEPARENT);
    }
  }

  @Test
  void theSdkReadsWhatWasSent() {
    for (Envelope envelope : List.of(BINARY, STRUCTURED)) {
      CloudEvent event = read(envelope.wrap(full("{\"a\":\"é😀\"}"), "t"));

      assertThat(event.getSpecVersion()).isEqualTo(SpecVersion.V1);
      assertThat(event.getId()).isEqualTo(ID);
      assertThat(event.getType()).isEqualTo("order.placed");
      assertThat(event.getSource()).isEqualTo(SOURCE);
      assertThat(event.getSubject()).isEqualTo("42");
      assertThat(event.getTime()).isEqualTo(OffsetDateTime.parse("2026-03-04T05:06:07.123456Z"));
      assertThat(event.getDataContentType()).isEqualTo("application/json");
      assertThat(event.getExtension("partitionkey")).isEqualTo("key-42");
      assertThat(event.getExtension("traceparent")).isEqualTo(TRACEPARENT);
      assertThat(event.getExtensionNames()).hasSize(2);
      assertThat(new String(data(event), UTF_8)).isEqualTo("{\"a\":\"é😀\"}");
    }
  }

  @Test
  void whatTheEventDoesNotHaveIsLeftOut() {
    for (Envelope envelope : List.of(BINARY, STRUCTURED)) {
      Message message =
          envelope.wrap(event(null, null, null, Map.of("traceparent", ""), new byte[] {'1'}), "t");
      CloudEvent event = read(message);

      assertThat(event.getSubject()).isNull();
      assertThat(event.getExtensionNames()).isEmpty();
      assertThat(message.key()).isNull();
    }
  }

  @Test
  void anyPayloadArrivesAsItWasWritten() {
    for (String json : List.of("{}", "[]", "null", "0", "\"\"", "[1,{\"b\":[]}]")) {
      for (Envelope envelope : List.of(BINARY, STRUCTURED)) {
        CloudEvent event = read(envelope.wrap(full(json), "t"));
        assertThat(event.getDataContentType()).isEqualTo("application/json");
        if (!json.equals("null") || envelope == BINARY) {
          assertThat(new String(data(event), UTF_8)).isEqualTo(json);
        }
      }
    }
    for (String bytes : List.of("", "{", "text", "1 2", "{\"a\":}", "\0\1\2", "\ufeff{}")) {
      for (Envelope envelope : List.of(BINARY, STRUCTURED)) {
        CloudEvent event = read(envelope.wrap(full(bytes), "t"));
        assertThat(event.getDataContentType()).isEqualTo("application/octet-stream");
        assertThat(new String(data(event), UTF_8)).isEqualTo(bytes);
      }
    }
  }

  @Test
  void headersOfTheEventDoNotReplaceTheAttributes() {
    Map<String, String> forged =
        Map.of("ce_id", "forged", "ce_specversion", "0.3", "content-type", "text/plain");
    for (Envelope envelope : List.of(BINARY, STRUCTURED)) {
      CloudEvent event =
          read(envelope.wrap(event("order", "42", "42", forged, "{}".getBytes(UTF_8)), "t"));

      assertThat(event.getId()).isEqualTo(ID);
      assertThat(event.getSpecVersion()).isEqualTo(SpecVersion.V1);
      assertThat(event.getDataContentType()).isEqualTo("application/json");
    }
  }

  @Test
  void anEmptySourceIsRefused() {
    assertThatThrownBy(() -> CloudEventsEnvelope.binary(URI.create("")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("source must not be empty");
    assertThatThrownBy(() -> CloudEventsEnvelope.structured(URI.create("")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static byte[] data(CloudEvent event) {
    return Objects.requireNonNull(event.getData()).toBytes();
  }

  /** The Kafka binding's way to read headers, over a message's. */
  private static final class HeaderReader
      extends BaseGenericBinaryMessageReaderImpl<String, String> {
    private final Map<String, String> headers;

    HeaderReader(SpecVersion version, Message message) {
      super(version, data(message));
      this.headers = message.headers();
    }

    private static CloudEventData data(Message message) {
      return BytesCloudEventData.wrap(message.body());
    }

    @Override
    protected boolean isContentTypeHeader(String key) {
      return key.equals("content-type");
    }

    @Override
    protected boolean isCloudEventsHeader(String key) {
      return key.startsWith("ce_");
    }

    @Override
    protected String toCloudEventsKey(String key) {
      return key.substring("ce_".length());
    }

    @Override
    protected void forEachHeader(BiConsumer<String, String> consumer) {
      headers.forEach(consumer);
    }

    @Override
    protected String toCloudEventsValue(String value) {
      return value;
    }
  }
}
