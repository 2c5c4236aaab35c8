package dev.postcommit.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Delivery.Deferred;
import dev.postcommit.relay.Delivery.Delivered;
import dev.postcommit.relay.Delivery.HeldBack;
import dev.postcommit.relay.Delivery.TopicUnavailable;
import dev.postcommit.relay.Delivery.Unavailable;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A publisher whose answers are kept. */
final class RecordedPublisher implements Publisher {
  private final Publisher publisher;
  private final Queue<Delivery> deliveries = new ConcurrentLinkedQueue<>();

  RecordedPublisher(Publisher publisher) {
    this.publisher = publisher;
  }

  /** A publisher to Kafka that gives up soon. */
  static RecordedPublisher impatient(Map<String, String> client) {
    Map<String, Object> properties = new HashMap<>(client);
    properties.put("delivery.timeout.ms", 2_000);
    properties.put("request.timeout.ms", 900);
    properties.put("max.block.ms", 2_000);
    properties.put("batch.size", 2_000);
    properties.put("reconnect.backoff.max.ms", 200);
    return new RecordedPublisher(KafkaPublisher.builder().properties(properties).build());
  }

  void assertThatNoAttemptCounts() {
    assertThat(deliveries)
        .hasOnlyElementsOfTypes(
            Delivered.class,
            Deferred.class,
            TopicUnavailable.class,
            Unavailable.class,
            HeldBack.class);
  }

  /** Whether the broker has refused a message, for which nobody but it is to blame. */
  boolean hasWaited() {
    return deliveries.stream()
        .anyMatch(each -> each instanceof Deferred || each instanceof TopicUnavailable);
  }

  /** What became of all messages so far. */
  List<Delivery> deliveries() {
    return List.copyOf(deliveries);
  }

  @Override
  public CompletionStage<Delivery> send(Message message) {
    return publisher
        .send(message)
        .thenApply(
            delivery -> {
              deliveries.add(delivery);
              return delivery;
            });
  }

  @Override
  public Optional<String> problem() {
    return publisher.problem();
  }

  @Override
  public Duration deliveryTimeout() {
    return publisher.deliveryTimeout();
  }

  @Override
  public boolean keepsOrder() {
    return publisher.keepsOrder();
  }

  @Override
  public void close() {
    publisher.close();
  }
}
