package dev.postcommit.support;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The header {@code traceparent} of W3C's Trace Context. */
public final class TraceParent {

  /** The header's name. */
  public static final String HEADER = "traceparent";

  private static final Pattern FORM =
      Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?");

  private TraceParent() {}

  /** The trace that a header's value speaks of, or null if it is missing or malformed. */
  public static @Nullable String traceId(@Nullable String value) {
    if (value == null) {
      return null;
    }
    Matcher matcher = FORM.matcher(value);
    return matcher.matches() ? matcher.group(1) : null;
  }
}
