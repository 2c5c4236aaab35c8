package dev.postcommit.opentelemetry;

import static dev.postcommit.opentelemetry.Telemetry.TRACEPARENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.Enqueued;
import dev.postcommit.Event;
import dev.postcommit.InvalidEventException;
import dev.postcommit.Outbox;
import dev.postcommit.layout.Layout;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.TraceStateBuilder;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is recorded with an event (R51). */
class TracingOutboxTest {

  /** An outbox that keeps events in a list. */
  private final class Kept implements Outbox {
    @Override
    public Enqueued enqueue(Connection tx, Event event) {
      events.add(event);
      return new Enqueued.Written(event.id());
    }

    @Override
    public List<Enqueued> enqueueAll(Connection tx, List<Event> all) {
      return all.stream().map(event -> enqueue(tx, event)).toList();
    }
  }

  private final List<Event> events = new ArrayList<>();
  private final Telemetry telemetry = new Telemetry();
  private final Outbox outbox = traced(Layout.nativeTable(), telemetry.sdk());

  @AfterEach
  void close() {
    telemetry.close();
  }

  private Outbox traced(Layout layout, OpenTelemetry by) {
    return TracingOutbox.of(new Kept(), layout, by);
  }

  private static Event.Builder event() {
    return Event.builder("order.placed").aggregate("order", "42").header("own", "1").json("{}");
  }

  private void enqueue(Outbox to, Event event) {
    assertThat(to.enqueue(null, event)).isEqualTo(new Enqueued.Written(event.id()));
  }

  private Map<String, String> headers() {
    return events.get(events.size() - 1).headers();
  }

  private static Context current(TraceState state) {
    return Context.root()
        .with(
            Span.wrap(
                SpanContext.create(
                    Telemetry.TRACE, Telemetry.SPAN, TraceFlags.getSampled(), state)));
  }

  @Test
  void theCurrentSpanIsRecordedAndNothingElseIsChanged() throws Exception {
    Event event = event().build();
    telemetry.within(
        "place order",
        span -> {
          enqueue(outbox, event);
          assertThat(headers())
              .isEqualTo(Map.of("own", "1", "traceparent", Telemetry.traceparent(span)));
        });
    assertThat(events.get(0)).usingRecursiveComparison().ignoringFields("headers").isEqualTo(event);
    assertThat(telemetry.ended()).hasSize(1);
  }

  @Test
  void theCurrentSpanIsRecordedWithEachOfManyEvents() throws Exception {
    List<Event> both = List.of(event().build(), event().header("traceparent", "mine").build());
    telemetry.within(
        "place order",
        span -> {
          assertThat(outbox.enqueueAll(null, both)).extracting(Enqueued::id).hasSize(2);
          assertThat(events)
              .extracting(each -> each.headers().get("traceparent"))
              .containsExactly(Telemetry.traceparent(span), "mine");
        });
  }

  @Test
  void theStateOfATraceIsRecordedUnlessTheEventHasATraceOfItsOwn() throws Exception {
    Telemetry.in(
        current(TraceState.builder().put("vendor", "x").build()),
        span -> {
          enqueue(outbox, event().build());
          assertThat(headers())
              .containsEntry("traceparent", TRACEPARENT)
              .containsEntry("tracestate", "vendor=x");
          enqueue(outbox, event().header("traceparent", "mine").build());
          assertThat(headers()).isEqualTo(Map.of("own", "1", "traceparent", "mine"));
        });
  }

  @Test
  void aTraceThatIsNotSampledIsRecordedAsSuch() throws Exception {
    try (Telemetry off = new Telemetry(Sampler.alwaysOff())) {
      Outbox unsampled = traced(Layout.nativeTable(), off.sdk());
      off.within("place order", span -> enqueue(unsampled, event().build()));
      String flags = headers().get("traceparent").split("-")[3];
      assertThat(Integer.parseInt(flags, 16) & TraceFlags.getSampled().asByte()).isZero();
    }
  }

  @Test
  void withoutASpanThereIsNoHeader() {
    Event event = event().build();
    enqueue(outbox, event);
    assertThat(events).containsExactly(event);
  }

  @Test
  void theCorrelationIdOfTheBaggageIsRecordedUnlessTheEventHasOne() throws Exception {
    Telemetry.correlated(
        "c-1",
        span -> {
          enqueue(outbox, event().build());
          assertThat(headers()).isEqualTo(Map.of("own", "1", "correlationId", "c-1"));
          enqueue(outbox, event().header("correlationId", "mine").build());
          assertThat(headers()).containsEntry("correlationId", "mine");
        });
  }

  @Test
  void whatNoEventMayCarryIsLeftOut() throws Exception {
    for (String odd : List.of("x".repeat(1025), "a\0b", "\ud800", " ")) {
      Telemetry.correlated(
          odd,
          span -> {
            enqueue(outbox, event().build());
            assertThat(headers()).isEqualTo(Map.of("own", "1"));
          });
    }
    TraceStateBuilder state = TraceState.builder();
    for (int i = 0; i < 10; i++) {
      state.put("vendor" + i, "x".repeat(200));
    }
    Telemetry.in(
        current(state.build()),
        span -> {
          enqueue(outbox, event().build());
          assertThat(headers()).isEqualTo(Map.of("own", "1", "traceparent", TRACEPARENT));
        });
  }

  @Test
  void anEventWithManyHeadersGetsNoMore() throws Exception {
    Event.Builder full = event();
    for (int i = 0; i < 95; i++) {
      full.header("h" + i, "");
    }
    Event event = full.build();
    Telemetry.in(
        current(TraceState.getDefault()),
        span -> {
          enqueue(outbox, event);
        });
    assertThat(events).containsExactly(event);
  }

  @Test
  void aLayoutWithoutAPlaceForHeadersIsWrittenAsBefore() {
    Outbox plain = Outbox.builder(Layout.preset("modkit")).build();
    assertThat(TracingOutbox.of(plain, Layout.preset("modkit"), telemetry.sdk())).isSameAs(plain);
  }

  @Test
  void withTelemetrySwitchedOffThereIsNoTraceAndStillACorrelationId() throws Exception {
    Outbox off = traced(Layout.nativeTable(), OpenTelemetry.noop());
    Telemetry.in(
        current(TraceState.getDefault()),
        span -> {
          Telemetry.correlated("c-1", both -> enqueue(off, event().build()));
        });
    assertThat(headers()).isEqualTo(Map.of("own", "1", "correlationId", "c-1"));
  }

  @Test
  void whatAnOutboxRefusesIsRefusedAsBefore() throws Exception {
    Outbox small = Outbox.builder(Layout.nativeTable()).maxPayloadBytes(1).build();
    Outbox traced = TracingOutbox.of(small, Layout.nativeTable(), telemetry.sdk());
    Telemetry.in(
        current(TraceState.getDefault()),
        span -> {
          assertThatThrownBy(() -> traced.enqueue(null, event().build()))
              .isInstanceOf(InvalidEventException.class)
              .hasMessageContaining("payload");
          assertThatThrownBy(() -> traced.enqueue(null, null))
              .isInstanceOf(InvalidEventException.class)
              .hasMessageContaining("event");
          assertThatThrownBy(() -> traced.enqueueAll(null, List.of(event().build())))
              .isInstanceOf(InvalidEventException.class)
              .hasMessageContaining("payload");
        });
  }
}
