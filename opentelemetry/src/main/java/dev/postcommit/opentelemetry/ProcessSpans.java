package dev.postcommit.opentelemetry;

import dev.postcommit.consumer.ConsumerListener;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.support.ErrorText;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapPropagator;
import org.jspecify.annotations.Nullable;

/** Records a span for each call of a handler. */
final class ProcessSpans implements ConsumerListener {
  private final Tracer tracer;
  private final TextMapPropagator propagator;
  private final @Nullable String system;

  ProcessSpans(Tracer tracer, TextMapPropagator propagator, @Nullable String system) {
    this.tracer = tracer;
    this.propagator = propagator;
    this.system = system;
  }

  @Override
  public Handling handling(ReceivedEvent<?> event, int attempt) {
    Context parent = propagator.extract(Context.current(), event.headers(), Headers::get);
    String correlationId = event.correlationId();
    if (correlationId != null) {
      parent =
          parent.with(
              Baggage.fromContext(parent).toBuilder()
                  .put(Headers.CORRELATION_ID, correlationId)
                  .build());
    }
    Span span =
        SpanNames.start(
            tracer, parent, SpanKind.CONSUMER, "process", event.message().topic(), system);
    if (span.isRecording()) {
      SpanNames.describe(
          span,
          event.id(),
          event.type(),
          event.aggregateType(),
          event.aggregateId(),
          correlationId,
          attempt);
    }
    @SuppressWarnings("MustBeClosedChecker") // closed by what is returned
    Scope scope = parent.with(span).makeCurrent();
    return error -> {
      scope.close();
      if (error != null) {
        span.recordException(error);
        SpanNames.failed(span, error.getClass().getName(), ErrorText.of(error));
      }
      span.end();
    };
  }
}
