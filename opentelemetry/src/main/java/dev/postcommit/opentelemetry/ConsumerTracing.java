package dev.postcommit.opentelemetry;

import dev.postcommit.consumer.ConsumerListener;
import io.opentelemetry.api.OpenTelemetry;
import org.jspecify.annotations.Nullable;

/**
 * Records each call of a handler as a span.
 *
 * <pre>{@code
 * EventConsumer.builder("inventory-service").listener(ConsumerTracing.of(openTelemetry, "kafka"))
 * }</pre>
 *
 * <p>The span is named {@code process <topic>} and is a child of the span in which the message was
 * sent. While the handler runs, it is the current span, and the current baggage contains the
 * event's {@code correlationId}. Events that the handler writes through a {@link TracingOutbox}
 * continue both.
 */
public final class ConsumerTracing {
  private ConsumerTracing() {}

  /** Creates a listener for any number of consumers, without the name of a broker. */
  public static ConsumerListener of(OpenTelemetry telemetry) {
    return of(telemetry, null);
  }

  /**
   * Creates a listener for any number of consumers.
   *
   * @param system the broker, in the words of OpenTelemetry's conventions: {@code kafka} or {@code
   *     gcp_pubsub}; null if it is not known
   */
  public static ConsumerListener of(OpenTelemetry telemetry, @Nullable String system) {
    return new ProcessSpans(
        telemetry.getTracer(SpanNames.SCOPE),
        telemetry.getPropagators().getTextMapPropagator(),
        system);
  }
}
