package dev.postcommit.opentelemetry;

import dev.postcommit.consumer.ConsumerListener;
import io.opentelemetry.api.OpenTelemetry;
import org.jspecify.annotations.Nullable;

/**
 * What the handlers of a consumer do, as spans.
 *
 * <pre>{@code
 * EventConsumer.builder("inventory-service").listener(ConsumerTracing.of(openTelemetry, "kafka"))
 * }</pre>
 *
 * <p>Each call of a handler is a span {@code process <topic>}, a child of the one in which the
 * message was sent. While the handler runs it is the current span, and the current baggage has the
 * event's {@code correlationId}: events that the handler writes through a {@link TracingOutbox} go
 * on with both.
 */
public final class ConsumerTracing {
  private ConsumerTracing() {}

  /** A listener for any number of consumers, whose broker is not named. */
  public static ConsumerListener of(OpenTelemetry telemetry) {
    return listener(telemetry, null);
  }

  /**
   * A listener for any number of consumers.
   *
   * @param system the broker, in the words of OpenTelemetry's conventions: {@code kafka} or {@code
   *     gcp_pubsub}
   */
  public static ConsumerListener of(OpenTelemetry telemetry, String system) {
    return listener(telemetry, system);
  }

  private static ConsumerListener listener(OpenTelemetry telemetry, @Nullable String system) {
    return new ProcessSpans(
        telemetry.getTracer(SpanNames.SCOPE),
        telemetry.getPropagators().getTextMapPropagator(),
        system);
  }
}
