package dev.postcommit.consumer;

import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.support.LogContext;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Puts the ids of an event into the log context, so that every line about it carries them. */
final class EventLogContext {
  private EventLogContext() {}

  /** Runs {@code work} with the ids of an event in the log context. */
  static <T> T of(ReceivedEvent<?> event, Supplier<T> work) {
    return LogContext.supply(ids(event), work);
  }

  /** As {@link #of(ReceivedEvent, Supplier)}, for work without a result. */
  static void of(ReceivedEvent<?> event, Runnable work) {
    LogContext.with(ids(event), work);
  }

  private static Map<String, @Nullable String> ids(ReceivedEvent<?> event) {
    Map<String, @Nullable String> ids = new HashMap<>();
    ids.put("event_id", event.id());
    ids.put("event_type", event.type());
    ids.put("aggregate_type", event.aggregateType());
    ids.put("aggregate_id", event.aggregateId());
    ids.put("traceId", event.traceId());
    ids.put("correlationId", event.correlationId());
    return ids;
  }
}
