package dev.postcommit.internal;

import dev.postcommit.store.StoredEvent;
import dev.postcommit.support.TraceParent;
import org.jspecify.annotations.Nullable;

/** What an event belongs to, by its headers; one that says nothing belongs to itself. */
public final class TraceIds {
  private TraceIds() {}

  /** The trace: header {@code traceId}, or that in {@code traceparent}, or else the event's id. */
  public static String traceId(StoredEvent event) {
    String given = header(event, "traceId");
    if (given != null) {
      return given;
    }
    String traced = TraceParent.traceId(header(event, TraceParent.HEADER));
    return traced != null ? traced : event.id();
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
