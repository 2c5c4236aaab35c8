package dev.postcommit.internal.relay;

import dev.postcommit.PostcommitException;
import dev.postcommit.envelope.Envelope;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.EventCheck;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.relay.Router;
import dev.postcommit.store.StoredEvent;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes messages of events: checks, routes and wraps them. */
record Messages(EventCheck check, Router router, Envelope envelope, RelayListener listener) {

  /** No message can be made of an event, now or later. */
  static final class RejectedException extends Exception {
    private static final long serialVersionUID = 1L;

    private RejectedException(String reason, @Nullable Throwable cause) {
      super(reason, cause);
    }

    Delivery delivery() {
      return new Delivery.Rejected(String.valueOf(getMessage()), getCause());
    }
  }

  /**
   * The message for an event.
   *
   * @throws RejectedException if there can be none
   */
  Message of(StoredEvent event) throws RejectedException {
    try {
      Optional<String> violation =
          event.defect() != null ? Optional.of(event.defect()) : check.violation(event);
      if (violation.isPresent()) {
        listener.violation(event, violation.get());
        throw new RejectedException(violation.get(), null);
      }
      return envelope.wrap(event, router.topic(event));
    } catch (RuntimeException e) {
      throw new RejectedException(reason(e), e);
    }
  }

  /** What Postcommit throws is written to be read; anything else is shown with its class. */
  private static String reason(RuntimeException e) {
    boolean readable =
        e instanceof PostcommitException || e.getClass() == IllegalArgumentException.class;
    return readable && e.getMessage() != null
        ? e.getMessage()
        : "no message could be made of it: " + e;
  }
}
