package dev.postcommit.store;

import java.time.Duration;

/** What became of one claimed event. */
public sealed interface Outcome {

  /** The event's id. */
  String id();

  /** The broker has it. */
  record Delivered(String id) implements Outcome {}

  /** The attempt failed and counts; it is due again after {@code delay}, in database time. */
  record Retry(String id, String error, Duration delay) implements Outcome {}

  /**
   * The broker could not take the event, and the event is not to blame: no attempt counts. It is
   * due again after {@code delay}, in database time, and later events of its key wait for it.
   */
  record Deferred(String id, String error, Duration delay) implements Outcome {}

  /** The attempt failed and was the last. */
  record Dead(String id, String error) implements Outcome {}

  /** No attempt was made; the event is due again at once. */
  record Released(String id) implements Outcome {}
}
