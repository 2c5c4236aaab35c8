package dev.postcommit.support;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
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
  public static void with(Map<String, @Nullable String> entries, Runnable work) {
    Boolean unused =
        supply(
            entries,
            () -> {
              work.run();
              return true;
            });
  }

  /**
   * Does some work that is logged with these entries, on top of those of the thread. One that is
   * null is left out of the log meanwhile.
   */
  public static <T> T supply(Map<String, @Nullable String> entries, Supplier<T> work) {
    Map<String, @Nullable String> before = new HashMap<>();
    entries.forEach(
        (name, value) -> {
          before.put(name, MDC.get(name));
          set(name, value);
        });
    try {
      return work.get();
    } finally {
      before.forEach(LogContext::set);
    }
  }

  private static void set(String name, @Nullable String value) {
    if (value == null) {
      MDC.remove(name);
    } else {
      MDC.put(name, LogText.line(value));
    }
  }
}
