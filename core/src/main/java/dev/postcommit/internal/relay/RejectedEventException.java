package dev.postcommit.internal.relay;

import org.jspecify.annotations.Nullable;

/** No message can be made of an event, now or later. */
final class RejectedEventException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String reason;

  RejectedEventException(String reason, @Nullable Throwable cause) {
    super(reason, cause);
    this.reason = reason;
  }

  String reason() {
    return reason;
  }
}
