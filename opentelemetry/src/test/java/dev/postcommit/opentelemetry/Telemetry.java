package dev.postcommit.opentelemetry;

import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** OpenTelemetry's own SDK, and the spans that have ended. */
final class Telemetry implements AutoCloseable {
  static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  static final String SPAN = "00f067aa0ba902b7";
  static final String TRACEPARENT = "00-" + TRACE + "-" + SPAN + "-01";

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final OpenTelemetrySdk sdk;

  Telemetry() {
    this(Sampler.parentBased(Sampler.alwaysOn()));
  }

  Telemetry(Sampler sampler) {
    sdk =
        OpenTelemetrySdk.builder()
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .setSampler(sampler)
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build();
  }

  OpenTelemetrySdk sdk() {
    return sdk;
  }

  List<SpanData> ended() {
    return exporter.getFinishedSpanItems();
  }

  SpanData onlyEnded() {
    List<SpanData> ended = ended();
    if (ended.size() != 1) {
      throw new AssertionError("not one span: " + ended);
    }
    return ended.get(0);
  }

  static @Nullable String attribute(SpanData span, String name) {
    return span.getAttributes().get(AttributeKey.stringKey(name));
  }

  static Map<String, Object> attributes(SpanData span) {
    Map<String, Object> attributes = new HashMap<>();
    span.getAttributes().forEach((key, value) -> attributes.put(key.getKey(), value));
    return attributes;
  }

  static String traceparent(SpanContext span) {
    return "00-%s-%s-%s".formatted(span.getTraceId(), span.getSpanId(), span.getTraceFlags());
  }

  /** Does work within a span of its own. */
  void within(String name, Work work) throws Exception {
    Span span = sdk.getTracer("test").spanBuilder(name).startSpan();
    try {
      in(Context.current().with(span), work);
    } finally {
      span.end();
    }
  }

  /** Does work as part of an operation. */
  static void correlated(String correlationId, Work work) throws Exception {
    Baggage baggage = Baggage.builder().put("correlationId", correlationId).build();
    in(Context.current().with(baggage), work);
  }

  /** Does work while a context is current. */
  static void in(Context context, Work work) throws Exception {
    Callable<Boolean> call =
        () -> {
          work.run(Span.current().getSpanContext());
          return true;
        };
    context.wrap(call).call();
  }

  @FunctionalInterface
  interface Work {
    void run(SpanContext current) throws Exception;
  }

  /** The spans that have ended, each as the names from its root to itself; failed ones with !. */
  List<String> paths() {
    Map<String, SpanData> byId = new HashMap<>();
    ended().forEach(span -> byId.put(span.getSpanId(), span));
    return ended().stream().map(span -> path(span, byId)).sorted().toList();
  }

  private static String path(SpanData span, Map<String, SpanData> byId) {
    String name =
        span.getName() + (span.getStatus().getStatusCode() == StatusCode.ERROR ? "!" : "");
    if (!span.getParentSpanContext().isValid()) {
      return name;
    }
    SpanData parent = byId.get(span.getParentSpanId());
    boolean connected = parent != null && parent.getTraceId().equals(span.getTraceId());
    return (connected ? path(parent, byId) : "?") + " > " + name;
  }

  @Override
  public void close() {
    sdk.close();
  }
}
