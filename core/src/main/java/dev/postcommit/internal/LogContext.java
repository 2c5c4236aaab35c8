package dev.postcommit.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** What the log says of every line of a thread: the entries of SLF4J's MDC. */
public final class LogContext {

  /** The name of a relay within its process. */
  public static final String RELAY = "relay";

  /** The table of a relay. */
  public static final String TABLE = "table";

  private LogContext() {}

  /** A way to have work logged, whichever thread does it, with the entries of the present one. */
  public static UnaryOperator<Runnable> present() {
    @Nullable Map<String, String> entries = MDC.getCopyOfContextMap();
    return entries == null || entries.isEmpty()
        ? UnaryOperator.identity()
        : work -> () -> with(entries, work);
  }

  /** Does some work that is logged with these entries, on top of those of the thread. */
  public static void with(Map<String, String> entries, Runnable work) {
    Map<String, @Nullable String> before = new HashMap<>();
    entries.forEach(
        (name, value) -> {
          before.put(name, MDC.get(name));
          MDC.put(name, value);
        });
    try {
      work.run();
    } finally {
      before.forEach(LogContext::restore);
    }
  }

  private static void restore(String name, @Nullable String value) {
    if (value == null) {
      MDC.remove(name);
    } else {
      MDC.put(name, value);
    }
  }
}
