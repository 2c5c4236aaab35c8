package dev.postcommit.internal.relay;

import dev.postcommit.PostcommitException;
import dev.postcommit.envelope.Envelope;
import dev.postcommit.relay.EventCheck;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.relay.Router;
import dev.postcommit.store.StoredEvent;
import java.util.Optional;

/** Makes messages of events: checks, routes and wraps them. */
record Messages(EventCheck check, Router router, Envelope envelope, RelayListener listener) {

  /**
   * The message for an event.
   *
   * @throws RejectedEventException if there can be none
   */
  Message of(StoredEvent event) throws RejectedEventException {
    try {
      Optional<String> violation =
          event.defect() != null ? Optional.of(event.defect()) : check.violation(event);
      if (violation.isPresent()) {
        listener.violation(event, violation.get());
        throw new RejectedEventException(violation.get(), null);
      }
      return envelope.wrap(event, router.topic(event));
    } catch (RuntimeException e) {
      throw new RejectedEventException(reason(e), e);
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
