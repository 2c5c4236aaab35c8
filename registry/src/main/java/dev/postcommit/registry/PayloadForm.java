package dev.postcommit.registry;

/** Where in the payload the content of an event is. */
public enum PayloadForm {
  /** The payload is the content. */
  PLAIN,
  /**
   * The payload is an envelope as {@link dev.postcommit.DomainEvents} writes it, whose {@code
   * eventId} must be the row's id; its {@code data} is the content.
   */
  STORED_ENVELOPE
}
