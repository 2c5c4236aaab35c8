package dev.postcommit.server.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/**
 * Lets in only who knows the token, and no web page.
 *
 * <p>Whoever does not know it gets the same answer to everything, so that nothing can be learned. A
 * page in a browser, which names itself in {@code Origin}, is refused even with the token; one that
 * does not name itself, be it by a name that leads to this machine, does not have the token.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class TokenFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;

  private static final String SCHEME = "Bearer ";

  private final byte[] token;

  TokenFilter(String token) {
    this.token = token.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    if (!isToken(request.getHeader(HttpHeaders.AUTHORIZATION))) {
      response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"postcommit\"");
      Problems.write(
          response,
          HttpStatus.UNAUTHORIZED,
          "send the value of the setting admin-token as 'Authorization: Bearer <token>'");
    } else if (request.getHeader(HttpHeaders.ORIGIN) != null) {
      Problems.write(
          response, HttpStatus.FORBIDDEN, "web pages are not answered; send no Origin header");
    } else {
      chain.doFilter(request, response);
    }
  }

  /** Compares in constant time. */
  private boolean isToken(@Nullable String header) {
    if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return false;
    }
    String given = header.substring(SCHEME.length()).strip();
    // The server takes each byte of a header for a character.
    return MessageDigest.isEqual(token, given.getBytes(StandardCharsets.ISO_8859_1));
  }
}
