package dev.postcommit.examples.polyshop.common;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Takes the trace of a request from its headers: {@code traceparent}, {@code X-Correlation-Id},
 * {@code X-User-Id} and {@code Idempotency-Key}. A request without a trace begins one.
 */
final class TraceFilter extends OncePerRequestFilter {
  private static final int LONGEST = 200;
  private static final Pattern TRACEPARENT =
      Pattern.compile("00-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}");

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    String userId = request.getHeader("X-User-Id");
    String idempotencyKey = request.getHeader("Idempotency-Key");
    if (isTooLong(userId) || isTooLong(idempotencyKey)) {
      response.sendError(
          HttpServletResponse.SC_BAD_REQUEST,
          "X-User-Id and Idempotency-Key have at most %d characters".formatted(LONGEST));
      return;
    }
    TraceContext context =
        TraceContext.begin(
            traceId(request.getHeader("traceparent")),
            correlationId(request.getHeader("X-Correlation-Id")),
            userId,
            idempotencyKey);
    TraceContext.Scope scope = context.enter();
    try {
      chain.doFilter(request, response);
    } finally {
      scope.close();
    }
  }

  /** Events carry them, and headers of events have their limits. */
  static boolean isTooLong(@Nullable String value) {
    return value != null && value.length() > LONGEST;
  }

  /** The 32 digits of a trace are those of a UUID. */
  static UUID traceId(@Nullable String traceparent) {
    Matcher matcher = TRACEPARENT.matcher(traceparent == null ? "" : traceparent);
    if (!matcher.matches()) {
      return UUID.randomUUID();
    }
    String digits = matcher.group(1);
    return new UUID(
        Long.parseUnsignedLong(digits.substring(0, 16), 16),
        Long.parseUnsignedLong(digits.substring(16), 16));
  }

  /** One that is no UUID counts as none. */
  private static @Nullable String correlationId(@Nullable String text) {
    try {
      return text == null ? null : UUID.fromString(text).toString();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
