package dev.postcommit.opentelemetry;

import static dev.postcommit.opentelemetry.Telemetry.TRACEPARENT;
import static dev.postcommit.opentelemetry.Telemetry.attribute;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.EventHandler;
import dev.postcommit.consumer.Outcome;
import dev.postcommit.consumer.WorkItem;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.message.ReceivedMessage;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The spans of a consumer (R51). */
class ConsumerTracingTest {
  private final Telemetry telemetry = new Telemetry();
  private final List<String> current = new ArrayList<>();

  @AfterEach
  void close() {
    telemetry.close();
  }

  private static EventConsumer consumer(OpenTelemetry by, EventHandler<String> handler) {
    return EventConsumer.builder("inventory")
        .inbox(Inbox.none())
        .on("order.placed", String.class, handler)
        .listener(ConsumerTracing.of(by, "kafka"))
        .build();
  }

  private EventConsumer consumer(EventHandler<String> handler) {
    return consumer(telemetry.sdk(), handler);
  }

  /** Notes what is current while a handler runs. */
  private void note() {
    current.add(
        Telemetry.traceparent(Span.current().getSpanContext())
            + " "
            + Baggage.current().getEntryValue("correlationId"));
  }

  private static ReceivedMessage message(Map<String, String> more) {
    Map<String, String> headers = new HashMap<>(more);
    headers.put("event_id", "e1");
    headers.put("event_type", "order.placed");
    headers.put("aggregate_type", "order");
    headers.put("aggregate_id", "42");
    return new ReceivedMessage("orders", "42", headers, "{}".getBytes(UTF_8));
  }

  @Test
  void aHandlerRunsInAChildOfTheSpanItsMessageWasSentIn() {
    EventConsumer consumer = consumer(event -> note());

    consumer.handle(message(Map.of("traceparent", TRACEPARENT, "correlationId", "c-1")));

    SpanData span = telemetry.onlyEnded();
    assertThat(span.getName()).isEqualTo("process orders");
    assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(span.getTraceId()).isEqualTo(Telemetry.TRACE);
    assertThat(span.getParentSpanId()).isEqualTo(Telemetry.SPAN);
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(Telemetry.attributes(span))
        .isEqualTo(
            Map.of(
                "messaging.system", "kafka",
                "messaging.destination.name", "orders",
                "messaging.operation.name", "process",
                "messaging.operation.type", "process",
                "messaging.message.id", "e1",
                "postcommit.event_type", "order.placed",
                "postcommit.aggregate_type", "order",
                "postcommit.aggregate_id", "42",
                "postcommit.correlation_id", "c-1",
                "postcommit.attempt", 1L));
    assertThat(current).containsExactly(Telemetry.traceparent(span.getSpanContext()) + " c-1");
    assertThat(Span.current().getSpanContext().isValid()).isFalse();
    assertThat(Baggage.current().isEmpty()).isTrue();
  }

  @Test
  void eachAttemptIsASpanAndAFailedOneAnError() {
    EventConsumer consumer =
        consumer(
            event -> {
              throw new IllegalStateException("no stock");
            });
    ReceivedMessage message = message(Map.of("traceparent", TRACEPARENT));

    List<Outcome> outcomes = new ArrayList<>();
    for (int attempt = 1; attempt <= 2; attempt++) {
      outcomes.addAll(consumer.handle(List.of(new WorkItem(message, null, attempt))));
    }

    assertThat(outcomes).hasOnlyElementsOfType(Outcome.Retry.class);
    assertThat(telemetry.ended()).hasSize(2);
    for (int i = 0; i < 2; i++) {
      SpanData span = telemetry.ended().get(i);
      assertThat(span.getParentSpanId()).isEqualTo(Telemetry.SPAN);
      assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
      assertThat(span.getStatus().getDescription()).isEqualTo("IllegalStateException: no stock");
      assertThat(attribute(span, "error.type")).isEqualTo("java.lang.IllegalStateException");
      assertThat(span.getAttributes().get(AttributeKey.longKey("postcommit.attempt")))
          .isEqualTo(i + 1L);
      assertThat(span.getEvents())
          .extracting(event -> event.getName())
          .containsExactly("exception");
    }
    assertThat(Span.current().getSpanContext().isValid()).isFalse();
  }

  @Test
  void whatIsNotHandledIsNoSpan() {
    EventConsumer consumer =
        EventConsumer.builder("inventory")
            .inbox(Inbox.none())
            .on("order.cancelled", String.class, event -> note())
            .listener(ConsumerTracing.of(telemetry.sdk()))
            .build();
    assertThat(consumer.handle(message(Map.of()))).isEqualTo(Outcome.Done.IGNORED);
    assertThat(telemetry.ended()).isEmpty();
  }

  @Test
  void aMessageWithoutATraceBeginsOneAndTheEnvelopeMayTellTheCorrelationId() {
    EventConsumer consumer = consumer(event -> note());
    String body =
        "{\"eventId\":\"e1\",\"timestamp\":\"2026-03-04T05:06:07Z\",\"eventType\":\"order.placed\","
            + "\"version\":1,\"source\":\"orders\",\"data\":{},\"metadata\":{\"correlationId\":\"c-2\"}}";

    consumer.handle(
        new ReceivedMessage("orders", null, Map.of("traceparent", "broken"), body.getBytes(UTF_8)));

    SpanData span = telemetry.onlyEnded();
    assertThat(span.getParentSpanContext().isValid()).isFalse();
    assertThat(current).containsExactly(Telemetry.traceparent(span.getSpanContext()) + " c-2");
  }

  @Test
  void aTraceThatIsNotSampledStaysSo() {
    consumer(event -> note())
        .handle(message(Map.of("traceparent", TRACEPARENT.replaceAll("01$", "00"))));
    assertThat(telemetry.ended()).isEmpty();
    assertThat(current.get(0)).matches("00-" + Telemetry.TRACE + "-[0-9a-f]{16}-00 null");
  }

  @Test
  void withTelemetrySwitchedOffTheCorrelationIdIsStillThere() {
    consumer(OpenTelemetry.noop(), event -> note())
        .handle(message(Map.of("traceparent", TRACEPARENT, "correlationId", "c-1")));
    assertThat(current.get(0)).endsWith(" c-1");
  }
}
