package dev.postcommit.consumer.inbox;

/** The answer of an {@link IdempotencyStore} about an event that is about to be handled. */
public sealed interface Begin {

  /** The event is new. It belongs to the caller now, by this mark. */
  record Proceed(Mark mark) implements Begin {}

  /** The event was handled. */
  record Duplicate() implements Begin {}

  /** The event is being handled elsewhere, or was when its consumer crashed; ask again later. */
  record InProgress() implements Begin {}

  /** The event was handled. */
  Begin DUPLICATE = new Duplicate();

  /** The event is being handled elsewhere. */
  Begin IN_PROGRESS = new InProgress();
}
