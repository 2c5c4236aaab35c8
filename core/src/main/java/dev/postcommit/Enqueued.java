package dev.postcommit;

import java.util.UUID;

/** What became of an enqueued event. */
public sealed interface Enqueued {

  /** The id of the row that stands for the event. */
  UUID id();

  /** The event was written as a new row; it is delivered once the transaction commits. */
  record Written(UUID id) implements Enqueued {}

  /**
   * An event with the same dedupe key was there already, and nothing was written.
   *
   * @param id the id of the row that was there first
   */
  record AlreadyEnqueued(UUID id) implements Enqueued {}
}
