package dev.postcommit.examples.polyshop.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.Outcome;
import dev.postcommit.consumer.envelope.EnvelopeReader;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.message.ReceivedMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** R50, R51: the trace of a consumed event is that of its handler's log lines and events. */
class SubscriptionsTest {
  private static final String TRACE = "4bf92f35-77b3-4da6-a3ce-929d0e0e4736";
  private static final String TRACEPARENT =
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private final List<TraceContext> seen = new ArrayList<>();
  private final List<String> logged = new ArrayList<>();

  @Test
  void aHandlerWorksInTheTraceOfItsEvent() {
    assertThat(consume(Map.of("traceparent", TRACEPARENT))).isInstanceOf(Outcome.Done.class);

    assertThat(seen).containsExactly(new TraceContext(TRACE, "c-1", TRACEPARENT, "user-1", null));
    assertThat(logged).containsExactly(TRACE);
    assertThat(MDC.get("traceId")).isNull();
  }

  @Test
  void anEventOfAServiceThatSendsNoHeadersGetsATraceparent() {
    assertThat(consume(Map.of())).isInstanceOf(Outcome.Done.class);

    assertThat(seen)
        .singleElement()
        .satisfies(
            context -> {
              assertThat(context.traceId()).isEqualTo(TRACE);
              assertThat(context.traceparent())
                  .matches("00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-01");
            });
  }

  private Outcome consume(Map<String, String> headers) {
    EventConsumer.Builder consumer =
        EventConsumer.builder("inventory-service")
            .inbox(Inbox.none())
            .envelope(EnvelopeReader.built());
    Subscriptions subscriptions =
        new Subscriptions(consumer)
            .on(
                "order.order.placed.v1",
                String.class,
                event -> {
                  seen.add(TraceContext.current());
                  logged.add(MDC.get("traceId"));
                });
    assertThat(subscriptions.topics()).containsExactly("order.order.placed.v1");
    String body =
        """
        {"eventId":"0197a1b2-0000-7000-8000-000000000001","timestamp":"2026-03-04T05:06:07Z",
        "eventType":"order.order.placed.v1","version":1,"source":"order-service","data":{},
        "metadata":{"traceId":"%s","correlationId":"c-1","userId":"user-1","idempotencyKey":"k"}}"""
            .formatted(TRACE);
    return consumer
        .build()
        .handle(
            new ReceivedMessage(
                "order.order.placed.v1", "o-1", headers, body.getBytes(StandardCharsets.UTF_8)));
  }
}
