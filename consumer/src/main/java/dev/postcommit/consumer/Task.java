package dev.postcommit.consumer;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One event on its way through a consumer. */
final class Task {
  private final Attempt attempt;
  private final ReceivedEvent<byte[]> event;
  private final Handler handler;
  private Duration took = Duration.ZERO;
  private @Nullable Outcome outcome;

  Task(Attempt attempt, ReceivedEvent<byte[]> event, Handler handler) {
    this.attempt = attempt;
    this.event = event;
    this.handler = handler;
  }

  Attempt attempt() {
    return attempt;
  }

  ReceivedEvent<byte[]> event() {
    return event;
  }

  String id() {
    return event.id();
  }

  Handler handler() {
    return handler;
  }

  Duration took() {
    return took;
  }

  void took(Duration time) {
    took = time;
  }

  @Nullable Outcome outcome() {
    return outcome;
  }

  void end(Outcome how) {
    outcome = how;
  }

  boolean isOpen() {
    return outcome == null;
  }
}
