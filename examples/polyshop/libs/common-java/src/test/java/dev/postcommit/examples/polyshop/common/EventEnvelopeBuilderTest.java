package dev.postcommit.examples.polyshop.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.relay.Message;
import dev.postcommit.store.StoredEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** R26, R32: PolyShop's envelope, field by field. */
class EventEnvelopeBuilderTest {
  private static final String EVENT = "0197a1b2-0000-7000-8000-000000000001";
  private static final String ORDER = "0197a1b2-0000-4000-8000-000000000002";
  private static final String TRACE = "4bf92f35-77b3-4da6-a3ce-929d0e0e4736";
  private static final String CORRELATION = "0197a1b2-0000-4000-8000-000000000003";
  private static final String TYPE = "order.order.placed.v1";

  private final EventEnvelopeBuilder envelope = new EventEnvelopeBuilder("order-service");

  @Test
  void theEnvelopeIsTheContracts() {
    Message message =
        envelope.wrap(
            stored(
                Map.of(
                    "traceId", TRACE,
                    "correlationId", CORRELATION,
                    "traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                    "userId", "user-1",
                    "idempotencyKey", "key-1")),
            TYPE);

    assertThat(message.topic()).isEqualTo(TYPE);
    assertThat(message.key()).isEqualTo(ORDER);
    assertThat(new String(message.body(), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"eventId\":\""
                + EVENT
                + "\",\"timestamp\":\"2026-03-04T05:06:07Z\",\"eventType\":\"order.order.placed.v1\","
                + "\"version\":1,\"source\":\"order-service\",\"data\":{\"totalAmount\": 10.00},"
                + "\"metadata\":{\"traceId\":\""
                + TRACE
                + "\",\"correlationId\":\""
                + CORRELATION
                + "\",\"idempotencyKey\":\"key-1\",\"userId\":\"user-1\"}}");
  }

  @Test
  void whatIsOptionalMayBeMissing() {
    Message message =
        envelope.wrap(stored(Map.of("traceId", TRACE, "correlationId", CORRELATION)), TYPE);

    assertThat(new String(message.body(), StandardCharsets.UTF_8))
        .endsWith(
            "\"metadata\":{\"traceId\":\""
                + TRACE
                + "\",\"correlationId\":\""
                + CORRELATION
                + "\"}}");
  }

  @Test
  void aServiceHasAName() {
    assertThatThrownBy(() -> new EventEnvelopeBuilder(" "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("source");
  }

  private static StoredEvent stored(Map<String, String> headers) {
    return new StoredEvent(
        EVENT,
        "",
        TYPE,
        null,
        null,
        TYPE,
        null,
        ORDER,
        ORDER,
        1,
        headers,
        "{\"totalAmount\": 10.00}".getBytes(StandardCharsets.UTF_8),
        Instant.parse("2026-03-04T05:06:07Z"),
        1,
        null);
  }
}
