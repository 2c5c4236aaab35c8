package dev.postcommit.store;

import java.time.Duration;
import java.util.UUID;

/** What became of one claimed event. */
public sealed interface Outcome {

  /** The event's id. */
  UUID id();

  /** The broker has it. */
  record Delivered(UUID id) implements Outcome {}

  /** The attempt failed and counts; it is due again after {@code delay}, in database time. */
  record Retry(UUID id, String error, Duration delay) implements Outcome {}

  /** The attempt failed and was the last. */
  record Dead(UUID id, String error) implements Outcome {}

  /** No attempt was made; the event is due again at once. */
  record Released(UUID id) implements Outcome {}
}
