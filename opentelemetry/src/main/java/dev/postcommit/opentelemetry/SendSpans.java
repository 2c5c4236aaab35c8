package dev.postcommit.opentelemetry;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Delivery.Deferred;
import dev.postcommit.relay.Delivery.HeldBack;
import dev.postcommit.relay.Delivery.Rejected;
import dev.postcommit.relay.Delivery.Retryable;
import dev.postcommit.relay.Delivery.TopicUnavailable;
import dev.postcommit.relay.Delivery.Unavailable;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.store.StoredEvent;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Records a span for each attempt to send an event. */
final class SendSpans implements RelayListener {
  private final Tracer tracer;
  private final TextMapPropagator propagator;
  private final @Nullable String system;
  private final OpenSpans open = new OpenSpans();

  SendSpans(Tracer tracer, TextMapPropagator propagator, @Nullable String system) {
    this.tracer = tracer;
    this.propagator = propagator;
    this.system = system;
  }

  @Override
  public Message sending(StoredEvent event, Message message) {
    // Not the thread's context: the relay's work is not part of the writer's trace.
    Context parent = propagator.extract(Context.root(), event.headers(), Headers::get);
    Span span = SpanNames.start(tracer, parent, SpanKind.PRODUCER, "send", message.topic(), system);
    if (span.isRecording()) {
      SpanNames.describe(
          span,
          event.id(),
          event.type(),
          event.aggregateType(),
          event.aggregateId(),
          event.headers().get(Headers.CORRELATION_ID),
          event.attempt());
    }
    open.begin(event, span);
    return carrying(parent.with(span), message);
  }

  private Message carrying(Context context, Message message) {
    Map<String, String> headers = new LinkedHashMap<>(message.headers());
    propagator.fields().forEach(headers::remove);
    propagator.inject(context, headers, Headers::add);
    return new Message(message.topic(), message.key(), headers, message.body());
  }

  @Override
  public void answered(StoredEvent event, Delivery delivery, Duration took) {
    Span span = open.end(event);
    if (span == null) {
      return;
    }
    if (delivery instanceof Retryable retryable) {
      SpanNames.failed(span, "retryable", retryable.reason());
    } else if (delivery instanceof Rejected rejected) {
      SpanNames.failed(span, "rejected", rejected.reason());
    } else if (delivery instanceof Unavailable unavailable) {
      SpanNames.failed(span, "unavailable", unavailable.reason());
    } else if (delivery instanceof Deferred deferred) {
      SpanNames.failed(span, "deferred", deferred.reason());
    } else if (delivery instanceof TopicUnavailable unavailable) {
      SpanNames.failed(span, "topic_unavailable", unavailable.reason());
    } else if (delivery instanceof HeldBack) {
      SpanNames.failed(span, "held_back", "an earlier event of its key was not delivered");
    }
    span.end();
  }

  @Override
  public void retrying(StoredEvent event, String reason, Duration delay) {
    unanswered(event, reason);
  }

  @Override
  public void dead(StoredEvent event, String reason) {
    unanswered(event, reason);
  }

  /** Ends the span of an event that the relay no longer waits for. */
  private void unanswered(StoredEvent event, String reason) {
    Span span = open.end(event);
    if (span != null) {
      OpenSpans.endUnanswered(span, reason);
    }
  }
}
