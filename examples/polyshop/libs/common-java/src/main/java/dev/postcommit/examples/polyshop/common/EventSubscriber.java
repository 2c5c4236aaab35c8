package dev.postcommit.examples.polyshop.common;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.envelope.EnvelopeReader;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.kafka.consumer.KafkaEventConsumer;
import java.util.List;
import org.springframework.context.SmartLifecycle;

/**
 * Reads the topics that a service subscribes to and has each event handled once. What can never be
 * handled goes to {@code <topic>.dlt}. It starts and stops with the service.
 */
public final class EventSubscriber implements SmartLifecycle {
  private final KafkaEventConsumer consumer;

  /**
   * A subscriber; nothing is connected.
   *
   * @param service the name of the service, which is that of its consumer group
   */
  public EventSubscriber(
      String service, Inbox inbox, String bootstrapServers, List<Subscriber> subscribers) {
    EventConsumer.Builder events =
        EventConsumer.builder(service).inbox(inbox).envelope(EnvelopeReader.built());
    Subscriptions subscriptions = new Subscriptions(events);
    subscribers.forEach(subscriber -> subscriber.subscribe(subscriptions));
    consumer =
        KafkaEventConsumer.builder(events.build())
            .bootstrapServers(bootstrapServers)
            .topics(subscriptions.topics())
            // One that comes back after a crash takes the place of the one that is gone, at once.
            .property("group.instance.id", service)
            .build();
  }

  @Override
  public void start() {
    consumer.start();
  }

  /** Finishes what is being handled. */
  @Override
  public void stop() {
    consumer.close();
  }

  @Override
  public boolean isRunning() {
    return consumer.running();
  }
}
