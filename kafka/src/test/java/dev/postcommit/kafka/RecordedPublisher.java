package dev.postcommit.kafka;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import java.time.Duration;
import java.util.List;
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
