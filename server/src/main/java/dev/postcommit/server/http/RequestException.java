package dev.postcommit.server.http;

import org.springframework.http.HttpStatus;

/** A rejected request; the message says why and what to do. */
final class RequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final HttpStatus status;

  RequestException(HttpStatus status, String message) {
    super(message);
    this.status = status;
  }

  static RequestException badRequest(String message) {
    return new RequestException(HttpStatus.BAD_REQUEST, message);
  }

  HttpStatus status() {
    return status;
  }
}
