package dev.postcommit.opentelemetry;

import static dev.postcommit.opentelemetry.Telemetry.TRACEPARENT;
import static dev.postcommit.opentelemetry.Telemetry.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.store.StoredEvent;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The spans of a relay (R51). */
class RelayTracingTest {
  private static final Duration TOOK = Duration.ofMillis(5);
  private static final String ID = "0197a1b2-0000-7000-8000-000000000001";

  private final Telemetry telemetry = new Telemetry();
  private final RelayListener listener = RelayTracing.of(telemetry.sdk(), "kafka");

  @AfterEach
  void close() {
    telemetry.close();
  }

  private static StoredEvent event(String id, int attempt, Map<String, String> headers) {
    return new StoredEvent(
        id,
        "default",
        "order.placed",
        null,
        null,
        "order.placed",
        "order",
        "42",
        "42",
        1,
        headers,
        new byte[] {1},
        Instant.EPOCH,
        attempt,
        null);
  }

  private static StoredEvent event(Map<String, String> headers) {
    return event(ID, 1, headers);
  }

  private static Message message(StoredEvent event) {
    Map<String, String> headers = new HashMap<>(event.headers());
    headers.put("event_id", event.id());
    return new Message("orders", "42", headers, event.payload());
  }

  private Message send(StoredEvent event) {
    return listener.sending(event, message(event));
  }

  @Test
  void aSpanIsAChildOfTheOneTheEventWasWrittenIn() {
    StoredEvent event =
        event(
            ID,
            2,
            Map.of("traceparent", TRACEPARENT, "tracestate", "vendor=x", "correlationId", "c-1"));

    Message sent = send(event);
    listener.answered(event, Delivery.DELIVERED, TOOK);

    SpanData span = telemetry.onlyEnded();
    assertThat(span.getName()).isEqualTo("send orders");
    assertThat(span.getKind()).isEqualTo(SpanKind.PRODUCER);
    assertThat(span.getTraceId()).isEqualTo(Telemetry.TRACE);
    assertThat(span.getParentSpanId()).isEqualTo(Telemetry.SPAN);
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(Telemetry.attributes(span))
        .isEqualTo(
            Map.of(
                "messaging.system", "kafka",
                "messaging.destination.name", "orders",
                "messaging.operation.name", "send",
                "messaging.operation.type", "send",
                "messaging.message.id", ID,
                "postcommit.event_type", "order.placed",
                "postcommit.aggregate_type", "order",
                "postcommit.aggregate_id", "42",
                "postcommit.correlation_id", "c-1",
                "postcommit.attempt", 2L));
    assertThat(sent.headers())
        .isEqualTo(
            Map.of(
                "event_id",
                ID,
                "correlationId",
                "c-1",
                "tracestate",
                "vendor=x",
                "traceparent",
                Telemetry.traceparent(span.getSpanContext())));
    assertThat(List.of(sent.topic(), sent.key())).containsExactly("orders", "42");
    assertThat(sent.body()).isSameAs(event.payload());
  }

  @Test
  void anEventWithoutATraceOrWithABrokenOneBeginsOne() {
    for (String broken : List.of("", "nonsense", TRACEPARENT.replace(Telemetry.TRACE, "0"))) {
      StoredEvent event = event(Map.of("traceparent", broken, "tracestate", "vendor=x"));
      assertRoot(event);
    }
    assertRoot(event(Map.of()));
  }

  private void assertRoot(StoredEvent event) {
    Message sent = send(event);
    listener.answered(event, Delivery.DELIVERED, TOOK);
    SpanData span = telemetry.ended().get(telemetry.ended().size() - 1);
    assertThat(span.getParentSpanContext().isValid()).isFalse();
    assertThat(sent.headers())
        .isEqualTo(
            Map.of("event_id", ID, "traceparent", Telemetry.traceparent(span.getSpanContext())));
  }

  @Test
  void aTraceThatIsNotSampledStaysSo() {
    StoredEvent event = event(Map.of("traceparent", TRACEPARENT.replaceAll("01$", "00")));

    Message sent = send(event);
    listener.answered(event, Delivery.DELIVERED, TOOK);

    assertThat(telemetry.ended()).isEmpty();
    assertThat(sent.headers().get("traceparent"))
        .matches("00-" + Telemetry.TRACE + "-[0-9a-f]{16}-00");
  }

  @Test
  void aRelayThatSamplesNothingSaysSoToConsumers() {
    try (Telemetry off = new Telemetry(Sampler.alwaysOff())) {
      RelayListener none = RelayTracing.of(off.sdk());
      StoredEvent event = event(Map.of("traceparent", TRACEPARENT));
      Message sent = none.sending(event, message(event));
      none.answered(event, Delivery.DELIVERED, TOOK);
      assertThat(sent.headers().get("traceparent"))
          .matches("00-" + Telemetry.TRACE + "-[0-9a-f]{16}-00");
      assertThat(off.ended()).isEmpty();
    }
  }

  @Test
  void whatFailsIsAnErrorWithItsReason() {
    Map<Delivery, String> errors =
        Map.of(
            new Delivery.Retryable("timed out", null),
            "retryable: timed out",
            new Delivery.Rejected("too large", null),
            "rejected: too large",
            new Delivery.Unavailable("no broker", null),
            "unavailable: no broker",
            new Delivery.Deferred("no leader", null),
            "deferred: no leader",
            new Delivery.TopicUnavailable("topic orders does not exist", null),
            "topic_unavailable: topic orders does not exist",
            Delivery.HELD_BACK,
            "held_back: an earlier event of its key was not delivered");
    errors.forEach(
        (delivery, error) -> {
          StoredEvent event = event(Map.of());
          send(event);
          listener.answered(event, delivery, TOOK);
          assertError(telemetry.ended().get(telemetry.ended().size() - 1), error);
        });
    assertThat(telemetry.ended()).hasSize(errors.size());
  }

  private static void assertError(SpanData span, String error) {
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(attribute(span, "error.type") + ": " + span.getStatus().getDescription())
        .isEqualTo(error);
  }

  @Test
  void aReasonIsBounded() {
    StoredEvent event = event(Map.of());
    send(event);
    listener.answered(event, new Delivery.Retryable("x".repeat(10_000), null), TOOK);
    assertThat(telemetry.onlyEnded().getStatus().getDescription()).hasSize(256).endsWith("x…");
  }

  @Test
  void aSpanEndsOnce() {
    StoredEvent event = event(Map.of());
    send(event);
    listener.answered(event, new Delivery.Retryable("timed out", null), TOOK);
    listener.retrying(event, "timed out", TOOK);
    listener.answered(event, Delivery.DELIVERED, TOOK);
    assertError(telemetry.onlyEnded(), "retryable: timed out");
  }

  @Test
  void anEventThatWasNeverAnsweredIsAnErrorWhenTheRelayGivesUpWaiting() {
    StoredEvent first = event("1", 1, Map.of());
    StoredEvent second = event("2", 1, Map.of());
    send(first);
    send(second);
    listener.retrying(first, "the publisher did not answer", TOOK);
    listener.dead(second, "gave up after 1 attempts");
    assertThat(telemetry.ended()).hasSize(2);
    assertError(telemetry.ended().get(0), "unanswered: the publisher did not answer");
    assertError(telemetry.ended().get(1), "unanswered: gave up after 1 attempts");
  }

  /** The lease was lost, and the answer to the first sending comes after the second. */
  @Test
  void anEventSentAgainEndsTheSpanOfTheFirstTime() {
    StoredEvent first = event(Map.of());
    StoredEvent second = event(Map.of());
    send(first);
    send(second);
    assertError(
        telemetry.onlyEnded(), "unanswered: there was no answer before the event was sent again");

    listener.answered(first, new Delivery.Rejected("too late", null), TOOK);
    assertThat(telemetry.ended()).hasSize(1);

    listener.answered(second, Delivery.DELIVERED, TOOK);
    assertThat(telemetry.ended()).hasSize(2);
    assertThat(telemetry.ended().get(1).getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
  }

  @Test
  void theNumberOfOpenSpansIsBounded() {
    for (int i = 0; i < OpenSpans.MOST + 3; i++) {
      send(event("" + i, 1, Map.of()));
    }
    assertThat(telemetry.ended())
        .extracting(span -> attribute(span, "messaging.message.id"))
        .containsExactly("0", "1", "2");
    assertError(
        telemetry.ended().get(0), "unanswered: there was no answer while many others were sent");
  }

  @Test
  void aMessageGetsNoMoreHeadersThanBrokersTake() {
    Map<String, String> headers = new HashMap<>();
    for (int i = 0; i < 100; i++) {
      headers.put("h" + i, "");
    }
    Message full = new Message("orders", "42", headers, new byte[0]);
    assertThat(listener.sending(event(Map.of()), full).headers()).isEqualTo(headers);
  }

  @Test
  void withTelemetrySwitchedOffMessagesAreSentAsTheyAre() {
    RelayListener off = RelayTracing.of(OpenTelemetry.noop());
    StoredEvent event = event(Map.of("traceparent", TRACEPARENT));
    Message message = message(event);
    assertThat(off.sending(event, message)).isSameAs(message);
  }

  @Test
  void aBrokerThatIsNotNamedIsNoAttribute() {
    RelayListener unnamed = RelayTracing.of(telemetry.sdk());
    StoredEvent event = event(Map.of());
    unnamed.sending(event, message(event));
    unnamed.answered(event, Delivery.DELIVERED, TOOK);
    assertThat(
            telemetry.onlyEnded().getAttributes().get(AttributeKey.stringKey("messaging.system")))
        .isNull();
  }
}
