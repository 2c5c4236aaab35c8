package dev.postcommit.internal.relay;

import dev.postcommit.internal.TraceIds;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.support.DurationText;
import dev.postcommit.support.LogContext;
import dev.postcommit.support.LogText;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs what becomes of single events, by their ids and never with their payloads.
 *
 * <p>It has a logger of its own, which shows the whole path of an event at level DEBUG. The ids are
 * in the line, and in the MDC while it is written.
 */
final class EventLog {
  private static final Logger log = LoggerFactory.getLogger("dev.postcommit.event");

  private EventLog() {}

  static void claimed(List<StoredEvent> events) {
    all("claimed", events);
  }

  static void delivered(StoredEvent event) {
    debug("delivered", event);
  }

  /** An event was not sent, or the broker was away. */
  static void released(StoredEvent event) {
    debug("given back", event);
  }

  /** The broker could not take an event for the time being. */
  static void deferred(StoredEvent event, String reason, Duration delay) {
    line(Level.DEBUG, event, "deferred for", delay, reason);
  }

  /** The outcomes of events could not be recorded. */
  static void lost(List<StoredEvent> events) {
    all("not settled, is delivered again", events);
  }

  static void retrying(StoredEvent event, String reason, Duration delay, Level level) {
    line(level, event, "retrying in", delay, reason);
  }

  static void dead(StoredEvent event, String reason, @Nullable Throwable cause, Level level) {
    line(level, event, "dead event", null, reason);
    if (cause != null && log.isDebugEnabled()) {
      about(event, ids -> log.debug("cause of death: {}", ids, cause));
    }
  }

  /** Events for which no line of their own was logged. */
  static void more(int events, String what, String reason, Level level) {
    log.atLevel(level)
        .log(
            "{} more events {}; reason={}; level debug of {} shows each",
            events,
            what,
            LogText.line(reason),
            log.getName());
  }

  private static void all(String what, List<StoredEvent> events) {
    if (log.isDebugEnabled()) {
      events.forEach(event -> debug(what, event));
    }
  }

  private static void debug(String what, StoredEvent event) {
    line(Level.DEBUG, event, what, null, null);
  }

  private static void line(
      Level level,
      StoredEvent event,
      String what,
      @Nullable Duration delay,
      @Nullable String reason) {
    if (log.isEnabledForLevel(level)) {
      String when = delay == null ? "" : " " + DurationText.spoken(delay);
      String why = reason == null ? "" : "; reason=" + LogText.line(reason);
      about(event, ids -> log.atLevel(level).log("{}{}: {}{}", what, when, ids, why));
    }
  }

  /** Writes a line about an event, which is given its ids. */
  private static void about(StoredEvent event, Consumer<String> line) {
    String ids =
        LogText.line(
            "event_id=%s event_type=%s aggregate_type=%s aggregate_id=%s traceId=%s attempt=%d"
                .formatted(
                    event.id(),
                    event.type(),
                    event.aggregateType(),
                    event.aggregateId(),
                    TraceIds.traceId(event),
                    event.attempt()));
    Map<String, @Nullable String> entries = new HashMap<>();
    entries.put("event_id", event.id());
    entries.put("event_type", event.type());
    entries.put("aggregate_type", event.aggregateType());
    entries.put("aggregate_id", event.aggregateId());
    entries.put("traceId", TraceIds.traceId(event));
    entries.put("correlationId", TraceIds.correlationId(event));
    entries.put("attempt", Integer.toString(event.attempt()));
    LogContext.with(entries, () -> line.accept(ids));
  }
}
