package dev.postcommit.examples.polyshop.common;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.EventHandler;
import java.util.ArrayList;
import java.util.List;

/** Collects which events a service handles. */
public final class Subscriptions {
  private final EventConsumer.Builder consumer;
  private final List<String> topics = new ArrayList<>();

  Subscriptions(EventConsumer.Builder consumer) {
    this.consumer = consumer;
  }

  /**
   * Handles the events of a type, each in a transaction with its row in {@code processed_events}
   * and as part of the trace that it came with.
   *
   * @param eventType what happened, which is the topic as well
   * @param as what the data of the event is read into
   */
  public <T> Subscriptions on(String eventType, Class<T> as, EventHandler<T> handler) {
    EventHandler<T> traced =
        event -> {
          TraceContext.Scope scope = TraceContext.of(event).enter();
          try {
            handler.handle(event);
          } finally {
            scope.close();
          }
        };
    consumer.on(eventType, as, traced);
    topics.add(eventType);
    return this;
  }

  List<String> topics() {
    return List.copyOf(topics);
  }
}
