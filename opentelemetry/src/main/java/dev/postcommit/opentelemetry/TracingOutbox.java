package dev.postcommit.opentelemetry;

import dev.postcommit.Enqueued;
import dev.postcommit.Event;
import dev.postcommit.InvalidEventException;
import dev.postcommit.Outbox;
import dev.postcommit.layout.Layout;
import dev.postcommit.support.TraceParent;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.sql.Connection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An outbox that records the current trace with each event.
 *
 * <pre>{@code
 * Outbox outbox = TracingOutbox.of(Outbox.create(), Layout.nativeTable(), openTelemetry);
 * }</pre>
 *
 * <p>The current span becomes the headers {@code traceparent} and {@code tracestate}, or those that
 * the given propagator writes, unless the event already has a {@code traceparent}. The baggage
 * entry {@code correlationId} becomes the header of that name, unless the event already has one.
 * Writing an event creates no span: it is part of the caller's span.
 */
public final class TracingOutbox implements Outbox {
  private static final Logger log = LoggerFactory.getLogger(TracingOutbox.class);

  private final Outbox outbox;
  private final TextMapPropagator propagator;

  private TracingOutbox(Outbox outbox, TextMapPropagator propagator) {
    this.outbox = outbox;
    this.propagator = propagator;
  }

  /**
   * Wraps an outbox. Returns {@code outbox} itself if the layout does not store headers.
   *
   * @param outbox writes the events
   * @param layout the layout of its table
   * @param telemetry its propagator writes the headers
   */
  public static Outbox of(Outbox outbox, Layout layout, OpenTelemetry telemetry) {
    return layout.keepsHeaders()
        ? new TracingOutbox(outbox, telemetry.getPropagators().getTextMapPropagator())
        : outbox;
  }

  @Override
  public Enqueued enqueue(Connection tx, Event event) {
    return outbox.enqueue(tx, event == null ? event : traced(event, current()));
  }

  @Override
  public int maxPayloadBytes() {
    return outbox.maxPayloadBytes();
  }

  @Override
  public List<Enqueued> enqueueAll(Connection tx, List<Event> events) {
    Current current = current();
    return outbox.enqueueAll(
        tx, events.stream().map(event -> event == null ? event : traced(event, current)).toList());
  }

  /**
   * The current context.
   *
   * @param trace the headers of the current span, empty if there is none
   * @param correlation the header with the correlation id, if there is one
   */
  private record Current(Map<String, String> trace, Map<String, String> correlation) {}

  private Current current() {
    Context context = Context.current();
    Map<String, String> trace = new LinkedHashMap<>();
    if (Span.fromContext(context).getSpanContext().isValid()) {
      propagator.inject(context, trace, Headers::add);
    }
    String id = Baggage.fromContext(context).getEntryValue(Headers.CORRELATION_ID);
    return new Current(
        trace, id == null || id.isBlank() ? Map.of() : Map.of(Headers.CORRELATION_ID, id));
  }

  private static Event traced(Event event, Current current) {
    Map<String, String> more = new LinkedHashMap<>(current.correlation());
    if (!event.headers().containsKey(TraceParent.HEADER)) {
      more.putAll(current.trace());
    }
    more.keySet().removeAll(event.headers().keySet());
    if (more.isEmpty() || event.headers().size() + more.size() > Headers.MOST_IN_ROW) {
      return event;
    }
    try {
      return event.withHeaders(more);
    } catch (InvalidEventException e) {
      return withEachThatFits(event, more);
    }
  }

  /** Drops headers that would keep the event from being written. */
  private static Event withEachThatFits(Event event, Map<String, String> headers) {
    Event result = event;
    for (Map.Entry<String, String> header : headers.entrySet()) {
      try {
        result = result.withHeaders(Map.of(header.getKey(), header.getValue()));
      } catch (InvalidEventException e) {
        log.debug("the header {} is left out of event_id={}", header.getKey(), event.id(), e);
      }
    }
    return result;
  }
}
