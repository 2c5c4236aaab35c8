package dev.postcommit.opentelemetry;

import dev.postcommit.relay.RelayListener;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import org.jspecify.annotations.Nullable;

/**
 * Records each attempt to send an event as a span.
 *
 * <pre>{@code
 * Relay.builder(dataSource, publisher).listener(RelayTracing.of(openTelemetry, "kafka"))
 * }</pre>
 *
 * <p>The span is named {@code send <topic>}. It is a child of the span in which the event was
 * written, if the row records that, and the parent of its consumers' spans: the trace headers of
 * the message are those of this span.
 */
public final class RelayTracing {
  private RelayTracing() {}

  /** Creates a listener for one relay, without the name of a broker. */
  public static RelayListener of(OpenTelemetry telemetry) {
    return of(telemetry, null);
  }

  /**
   * Creates a listener for one relay.
   *
   * @param system the broker, in the words of OpenTelemetry's conventions: {@code kafka} or {@code
   *     gcp_pubsub}; null if it is not known
   */
  public static RelayListener of(OpenTelemetry telemetry, @Nullable String system) {
    Tracer tracer = telemetry.getTracer(SpanNames.SCOPE);
    if (tracer.equals(TracerProvider.noop().get(SpanNames.SCOPE))) {
      // Tracing is off: messages carry the headers of their rows unchanged.
      return new RelayListener() {};
    }
    return new SendSpans(tracer, telemetry.getPropagators().getTextMapPropagator(), system);
  }
}
