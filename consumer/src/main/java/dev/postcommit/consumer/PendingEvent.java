package dev.postcommit.consumer;

import dev.postcommit.consumer.message.ReceivedEvent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The event of a work item, with its handler, until it has an outcome. */
final class PendingEvent {
  private final WorkItem item;
  private final ReceivedEvent<byte[]> event;
  private final DecodingHandler handler;
  private Duration took = Duration.ZERO;
  private @Nullable Outcome outcome;

  PendingEvent(WorkItem item, ReceivedEvent<byte[]> event, DecodingHandler handler) {
    this.item = item;
    this.event = event;
    this.handler = handler;
  }

  WorkItem item() {
    return item;
  }

  @Nullable Object orderingKey() {
    return item.orderingKey();
  }

  ReceivedEvent<byte[]> event() {
    return event;
  }

  String id() {
    return event.id();
  }

  DecodingHandler handler() {
    return handler;
  }

  /** The time that the handler took. */
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
