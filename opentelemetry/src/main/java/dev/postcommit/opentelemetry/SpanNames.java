package dev.postcommit.opentelemetry;

import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import org.jspecify.annotations.Nullable;

/**
 * Names and attributes of spans: those of OpenTelemetry's messaging conventions, and {@code
 * postcommit.…} for the rest.
 */
final class SpanNames {
  static final String SCOPE = "dev.postcommit";

  private static final AttributeKey<String> SYSTEM = stringKey("messaging.system");
  private static final AttributeKey<String> DESTINATION = stringKey("messaging.destination.name");
  private static final AttributeKey<String> OPERATION = stringKey("messaging.operation.name");
  private static final AttributeKey<String> OPERATION_TYPE = stringKey("messaging.operation.type");
  private static final AttributeKey<String> MESSAGE_ID = stringKey("messaging.message.id");
  private static final AttributeKey<String> ERROR_TYPE = stringKey("error.type");
  private static final AttributeKey<String> EVENT_TYPE = stringKey("postcommit.event_type");
  private static final AttributeKey<String> AGGREGATE_TYPE = stringKey("postcommit.aggregate_type");
  private static final AttributeKey<String> AGGREGATE_ID = stringKey("postcommit.aggregate_id");
  private static final AttributeKey<String> CORRELATION_ID = stringKey("postcommit.correlation_id");
  private static final AttributeKey<Long> ATTEMPT = longKey("postcommit.attempt");

  private static final int LONGEST_REASON = 256;

  private SpanNames() {}

  /** Starts a span with the attributes that a sampler may need. */
  static Span start(
      Tracer tracer,
      Context parent,
      SpanKind kind,
      String operation,
      String topic,
      @Nullable String system) {
    SpanBuilder builder =
        tracer
            .spanBuilder(operation + " " + topic)
            .setSpanKind(kind)
            .setParent(parent)
            .setAttribute(OPERATION, operation)
            .setAttribute(OPERATION_TYPE, operation)
            .setAttribute(DESTINATION, topic);
    if (system != null) {
      builder.setAttribute(SYSTEM, system);
    }
    return builder.startSpan();
  }

  /** Adds the attributes of an event. */
  static void describe(
      Span span,
      String id,
      String type,
      @Nullable String aggregateType,
      @Nullable String aggregateId,
      @Nullable String correlationId,
      int attempt) {
    span.setAttribute(MESSAGE_ID, id);
    span.setAttribute(EVENT_TYPE, type);
    setIfKnown(span, AGGREGATE_TYPE, aggregateType);
    setIfKnown(span, AGGREGATE_ID, aggregateId);
    setIfKnown(span, CORRELATION_ID, correlationId);
    span.setAttribute(ATTEMPT, (long) attempt);
  }

  private static void setIfKnown(Span span, AttributeKey<String> key, @Nullable String value) {
    if (value != null) {
      span.setAttribute(key, value);
    }
  }

  /** Marks a span as failed. */
  static void failed(Span span, String errorType, String reason) {
    span.setAttribute(ERROR_TYPE, errorType);
    span.setStatus(
        StatusCode.ERROR,
        reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON - 1) + "…");
  }
}
