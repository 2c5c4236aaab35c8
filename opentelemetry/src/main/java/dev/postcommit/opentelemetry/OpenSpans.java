package dev.postcommit.opentelemetry;

import dev.postcommit.store.StoredEvent;
import io.opentelemetry.api.trace.Span;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The recorded spans of events in flight, one per event. Their number is limited: when there are
 * too many, the oldest is ended.
 */
final class OpenSpans {

  /** Far more than a relay has in flight by default. */
  static final int MOST = 50_000;

  private record Open(StoredEvent event, Span span) {}

  /** By event id, the oldest first. */
  private final Map<String, Open> spans = new LinkedHashMap<>();

  /** Keeps the span of an event until {@link #end}. */
  void begin(StoredEvent event, Span span) {
    @Nullable Open before;
    @Nullable Open oldest = null;
    synchronized (spans) {
      before = spans.remove(event.id());
      if (span.isRecording()) {
        oldest = spans.size() < MOST ? null : removeOldest();
        spans.put(event.id(), new Open(event, span));
      }
    }
    if (before != null) {
      endUnanswered(before.span(), "there was no answer before the event was sent again");
    }
    if (oldest != null) {
      endUnanswered(oldest.span(), "there was no answer while many others were sent");
    }
  }

  private Open removeOldest() {
    Iterator<Open> all = spans.values().iterator();
    Open oldest = all.next();
    all.remove();
    return oldest;
  }

  /** Removes the span of an event and returns it; null if it has ended or was not recorded. */
  @Nullable Span end(StoredEvent event) {
    synchronized (spans) {
      Open open = spans.get(event.id());
      // A late answer belongs to an earlier attempt.
      if (open == null || !isSame(open.event(), event)) {
        return null;
      }
      spans.remove(event.id());
      return open.span();
    }
  }

  @SuppressWarnings("ReferenceEquality") // each claim reads an event anew
  private static boolean isSame(StoredEvent one, StoredEvent other) {
    return one == other;
  }

  static void endUnanswered(Span span, String reason) {
    SpanNames.failed(span, "unanswered", reason);
    span.end();
  }
}
