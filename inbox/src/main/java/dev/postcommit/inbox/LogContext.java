package dev.postcommit.inbox;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** The ids of an event as SLF4J's mapped diagnostic context: every log line is to carry them. */
final class LogContext {
  private static final List<String> NAMES =
      List.of(
          "event_id", "event_type", "aggregate_type", "aggregate_id", "traceId", "correlationId");

  private LogContext() {}

  /** Does work whose log lines are about an event; the context is then what it was before. */
  static <T> T of(ReceivedEvent<?> event, Supplier<T> work) {
    @Nullable String[] before = new @Nullable String[NAMES.size()];
    for (int i = 0; i < before.length; i++) {
      before[i] = MDC.get(NAMES.get(i));
    }
    set(
        event.id(),
        event.type(),
        event.aggregateType(),
        event.aggregateId(),
        event.traceId(),
        event.correlationId());
    try {
      return work.get();
    } finally {
      set(before);
    }
  }

  /** As {@link #of(ReceivedEvent, Supplier)}, for work without a result. */
  static void of(ReceivedEvent<?> event, Runnable work) {
    Boolean unused =
        of(
            event,
            () -> {
              work.run();
              return true;
            });
  }

  private static void set(@Nullable String... values) {
    for (int i = 0; i < values.length; i++) {
      String name = NAMES.get(i);
      String value = values[i];
      if (value == null) {
        MDC.remove(name);
      } else {
        MDC.put(name, value);
      }
    }
  }
}
