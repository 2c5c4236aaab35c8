package dev.postcommit.examples.polyshop.common;

import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.Router;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.context.SmartLifecycle;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Delivers the service's committed events to Kafka: the topic is the event type, the key is the
 * aggregate id, the value is the envelope. It starts and stops with the service.
 */
public final class OutboxPublisher implements SmartLifecycle {
  private final KafkaPublisher kafka;
  private final Relay relay;
  private volatile boolean running;

  /** A publisher of the {@code outbox_events} of a database; nothing is connected. */
  public OutboxPublisher(
      DataSource dataSource, EventEnvelopeBuilder envelope, String bootstrapServers) {
    kafka = KafkaPublisher.builder().bootstrapServers(bootstrapServers).build();
    relay =
        Relay.builder(dataSource, kafka)
            .layout(Layout.preset("polyshop"))
            .router(Router.type())
            .envelope(envelope)
            // Commits wake it; polling is for what others left behind.
            .pollInterval(Duration.ofSeconds(1))
            .build();
  }

  /** Looks for events as soon as a transaction that wrote some is committed. */
  @TransactionalEventListener
  void committed(OutboxEvent.Saved event) {
    relay.wakeUp();
  }

  @Override
  public void start() {
    relay.start();
    running = true;
  }

  /** Finishes what is on its way; the rest is delivered after the next start. */
  @Override
  public void stop() {
    running = false;
    relay.close();
    kafka.close();
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
