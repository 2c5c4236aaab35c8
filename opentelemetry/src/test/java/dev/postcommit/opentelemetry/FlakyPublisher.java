package dev.postcommit.opentelemetry;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** A broker that does not take the first messages it is given. */
final class FlakyPublisher implements Publisher {
  private final Publisher publisher;
  private final AtomicInteger failures;

  FlakyPublisher(Publisher publisher, int failures) {
    this.publisher = publisher;
    this.failures = new AtomicInteger(failures);
  }

  @Override
  public CompletionStage<Delivery> send(Message message) {
    return failures.getAndDecrement() > 0
        ? CompletableFuture.completedFuture(new Delivery.Retryable("not now", null))
        : publisher.send(message);
  }

  @Override
  public Optional<String> problem() {
    return publisher.problem();
  }

  @Override
  public Duration deliveryTimeout() {
    return publisher.deliveryTimeout();
  }
}
