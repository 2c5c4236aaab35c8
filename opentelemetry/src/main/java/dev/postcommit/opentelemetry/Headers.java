package dev.postcommit.opentelemetry;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Headers as carriers of a context. */
final class Headers {

  /** What operations that belong together have in common: a header, and an entry of baggage. */
  static final String CORRELATION_ID = "correlationId";

  /** How many headers an event may have so that there is room for those that come on its way. */
  static final int MOST_IN_ROW = 80;

  // What every broker takes; a trace is not worth a message that is refused.
  private static final int MOST = 100;
  private static final int LONGEST = 1024;

  private Headers() {}

  static @Nullable String get(@Nullable Map<String, String> headers, String name) {
    return headers == null ? null : headers.get(name);
  }

  /** Adds a header, if a message may have it and so many. */
  static void add(@Nullable Map<String, String> headers, String name, String value) {
    if (headers != null && headers.size() < MOST && value.length() <= LONGEST) {
      headers.put(name, value);
    }
  }
}
