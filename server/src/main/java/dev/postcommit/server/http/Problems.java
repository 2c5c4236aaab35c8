package dev.postcommit.server.http;

import dev.postcommit.server.table.Failure;
import dev.postcommit.server.table.JsonObject;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Turns failures into problem details of RFC 9457 that say what to do. */
@RestControllerAdvice
final class Problems {
  private static final Logger log = LoggerFactory.getLogger(Problems.class);

  @ExceptionHandler
  void refused(RequestException e, HttpServletResponse response) throws IOException {
    write(response, e.status(), String.valueOf(e.getMessage()));
  }

  /** The object of the change does not exist, or no longer does. */
  @ExceptionHandler
  void failed(Failure e, HttpServletResponse response) throws IOException {
    write(response, HttpStatus.CONFLICT, String.valueOf(e.getMessage()));
  }

  /** The client is gone, so there is nobody to report this to. */
  @ExceptionHandler
  void gone(IOException e) {
    log.debug("an operator did not wait for the answer", e);
  }

  /** Everything else: errors that Spring finds in a request, and faults of this server. */
  @ExceptionHandler
  void other(Exception e, HttpServletResponse response) throws IOException {
    if (e instanceof ErrorResponse wrong) {
      HttpStatus status = HttpStatus.valueOf(wrong.getStatusCode().value());
      wrong
          .getHeaders()
          .forEach((name, values) -> values.forEach(v -> response.addHeader(name, v)));
      write(response, status, advice(status));
    } else {
      log.error("a request of an operator failed", e);
      write(response, HttpStatus.INTERNAL_SERVER_ERROR, "the request failed; the log tells why");
    }
  }

  static String advice(HttpStatus status) {
    return switch (status) {
      case NOT_FOUND -> "there is nothing at this path; GET /openapi.yaml lists all there is";
      case METHOD_NOT_ALLOWED -> "this path is not for that method; use one of the header Allow";
      case UNSUPPORTED_MEDIA_TYPE -> "send the body as JSON, with 'Content-Type: application/json'";
      default -> "the request is not as GET /openapi.yaml describes it";
    };
  }

  static void write(HttpServletResponse response, HttpStatus status, String detail)
      throws IOException {
    byte[] problem =
        new JsonObject()
            .set("title", status.getReasonPhrase())
            .set("status", status.value())
            .set("detail", detail)
            .bytes();
    response.setStatus(status.value());
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    response.setContentLength(problem.length);
    response.getOutputStream().write(problem);
  }
}
