package dev.postcommit.opentelemetry;

import dev.postcommit.relay.RelayListener;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import org.jspecify.annotations.Nullable;

/**
 * What a relay sends, as spans.
 *
 * <pre>{@code
 * Relay.builder(dataSource, publisher).listener(RelayTracing.of(openTelemetry, "kafka"))
 * }</pre>
 *
 * <p>Each attempt to send an event is a span {@code send <topic>}: a child of the span in which the
 * event was written, if its row tells that, and the parent of whatever its consumers do. The
 * headers of the message that carry a trace are those of this span.
 */
public final class RelayTracing {
  private RelayTracing() {}

  /** A listener for one relay, whose broker is not named. */
  public static RelayListener of(OpenTelemetry telemetry) {
    return listener(telemetry, null);
  }

  /**
   * A listener for one relay.
   *
   * @param system the broker, in the words of OpenTelemetry's conventions: {@code kafka} or {@code
   *     gcp_pubsub}
   */
  public static RelayListener of(OpenTelemetry telemetry, String system) {
    return listener(telemetry, system);
  }

  private static RelayListener listener(OpenTelemetry telemetry, @Nullable String system) {
    Tracer tracer = telemetry.getTracer(SpanNames.SCOPE);
    if (tracer.equals(TracerProvider.noop().get(SpanNames.SCOPE))) {
      // Nobody traces, and messages carry what is in their rows as it is.
      return new RelayListener() {};
    }
    return new SendSpans(tracer, telemetry.getPropagators().getTextMapPropagator(), system);
  }
}
