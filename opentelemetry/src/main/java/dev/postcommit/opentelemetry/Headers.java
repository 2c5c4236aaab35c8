package dev.postcommit.opentelemetry;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads and writes trace context in headers. */
final class Headers {

  /** The id shared by related operations, as a header and as a baggage entry. */
  static final String CORRELATION_ID = "correlationId";

  /** The limit on headers of an event, which leaves space for those that the relay adds. */
  static final int MOST_IN_ROW = 80;

  // A limit that every broker accepts: no message should be rejected because of its trace.
  private static final int MOST = 100;
  private static final int LONGEST = 1024;

  private Headers() {}

  static @Nullable String get(@Nullable Map<String, String> headers, String name) {
    return headers == null ? null : headers.get(name);
  }

  /** Adds a header, unless it exceeds a limit. */
  static void add(@Nullable Map<String, String> headers, String name, String value) {
    if (headers != null && headers.size() < MOST && value.length() <= LONGEST) {
      headers.put(name, value);
    }
  }
}
