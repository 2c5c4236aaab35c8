package dev.postcommit.consumer;

/** What an {@link IdempotencyStore} knows of an event that is about to be handled. */
public sealed interface Begin {

  /** Nobody has handled the event or is handling it. It is the caller's now, by this mark. */
  record Proceed(Mark mark) implements Begin {}

  /** The event was handled. */
  record Duplicate() implements Begin {}

  /** Somebody is handling the event, or was when it crashed; ask again later. */
  record InProgress() implements Begin {}

  /** The event was handled. */
  Begin DUPLICATE = new Duplicate();

  /** Somebody else is handling the event. */
  Begin IN_PROGRESS = new InProgress();
}
