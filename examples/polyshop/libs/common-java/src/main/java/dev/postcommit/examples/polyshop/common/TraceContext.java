package dev.postcommit.examples.polyshop.common;

import dev.postcommit.consumer.message.ReceivedEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * What the work of a thread belongs to. It comes with a request or an event, stands in every line
 * of the log, and goes with every event that is written.
 *
 * @param traceId the trace, a UUID
 * @param correlationId what the operations that belong together have in common, a UUID
 * @param traceparent the trace as W3C's Trace Context has it
 * @param userId whose request it was, if known
 * @param idempotencyKey by which the request can be repeated, if it is a request that has one
 */
public record TraceContext(
    String traceId,
    String correlationId,
    String traceparent,
    @Nullable String userId,
    @Nullable String idempotencyKey) {

  private static final ThreadLocal<@Nullable TraceContext> CURRENT = new ThreadLocal<>();

  /** That of the request or event that this thread handles; a new one if there is none. */
  public static TraceContext current() {
    TraceContext current = CURRENT.get();
    return current != null ? current : begin(UUID.randomUUID(), null, null, null);
  }

  /** The context of a request. */
  static TraceContext begin(
      UUID traceId,
      @Nullable String correlationId,
      @Nullable String userId,
      @Nullable String idempotencyKey) {
    return new TraceContext(
        traceId.toString(),
        correlationId != null ? correlationId : UUID.randomUUID().toString(),
        traceparent(traceId.toString()),
        userId,
        idempotencyKey);
  }

  /** The context of a received event; the key of the request that began it all stays behind. */
  static TraceContext of(ReceivedEvent<?> event) {
    Map<String, String> metadata = event.metadata();
    String traceId = metadata.getOrDefault("traceId", event.id());
    String traceparent = event.headers().get("traceparent");
    return new TraceContext(
        traceId,
        metadata.getOrDefault("correlationId", event.id()),
        traceparent != null ? traceparent : traceparent(traceId),
        metadata.get("userId"),
        null);
  }

  private static String traceparent(String traceId) {
    long span = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
    return "00-%s-%016x-01".formatted(traceId.replace("-", ""), span);
  }

  /** The headers of the events that are written. */
  Map<String, String> headers() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("traceId", traceId);
    headers.put("correlationId", correlationId);
    headers.put("traceparent", traceparent);
    if (userId != null) {
      headers.put("userId", userId);
    }
    if (idempotencyKey != null) {
      headers.put("idempotencyKey", idempotencyKey);
    }
    return headers;
  }

  /** Makes it that of this thread, until the scope is closed. */
  Scope enter() {
    Scope scope = new Scope(CURRENT.get(), MDC.get("traceId"), MDC.get("correlationId"));
    CURRENT.set(this);
    log("traceId", traceId);
    log("correlationId", correlationId);
    return scope;
  }

  private static void log(String name, @Nullable String value) {
    if (value == null) {
      MDC.remove(name);
    } else {
      MDC.put(name, value);
    }
  }

  /** What was before. */
  record Scope(
      @Nullable TraceContext context, @Nullable String traceId, @Nullable String correlationId) {

    void close() {
      CURRENT.set(context);
      log("traceId", traceId);
      log("correlationId", correlationId);
    }
  }
}
