package dev.postcommit.server.web;

import org.springframework.http.HttpStatus;

/** A request that is not granted; the message says why and what to do. */
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final HttpStatus status;

  Refusal(HttpStatus status, String message) {
    super(message);
    this.status = status;
  }

  static Refusal badRequest(String message) {
    return new Refusal(HttpStatus.BAD_REQUEST, message);
  }

  HttpStatus status() {
    return status;
  }
}
