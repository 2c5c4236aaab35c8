package dev.postcommit.internal;

import dev.postcommit.store.StoredEvent;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What an event belongs to, by its headers; one that says nothing belongs to itself. */
public final class TraceIds {
  private static final Pattern TRACEPARENT =
      Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?");

  private TraceIds() {}

  /** The trace: header {@code traceId}, or that in {@code traceparent}, or else the event's id. */
  public static String traceId(StoredEvent event) {
    String given = header(event, "traceId");
    if (given != null) {
      return given;
    }
    String traceparent = header(event, "traceparent");
    if (traceparent != null) {
      Matcher matcher = TRACEPARENT.matcher(traceparent);
      if (matcher.matches()) {
        return matcher.group(1);
      }
    }
    return event.id();
  }

  /** What groups operations: header {@code correlationId}, or else the event's id. */
  public static String correlationId(StoredEvent event) {
    String given = header(event, "correlationId");
    return given != null ? given : event.id();
  }

  /** A header, unless it is absent or blank. */
  public static @Nullable String header(StoredEvent event, String name) {
    String value = event.headers().get(name);
    return value == null || value.isBlank() ? null : value;
  }
}
