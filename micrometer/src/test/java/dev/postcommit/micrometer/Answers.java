package dev.postcommit.micrometer;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A broker that answers as a test says, by topic. */
final class Answers implements Publisher {
  private final Function<Message, Delivery> answers;
  private volatile boolean down;

  Answers(Function<Message, Delivery> answers) {
    this.answers = answers;
  }

  void down(boolean isDown) {
    down = isDown;
  }

  @Override
  public CompletionStage<Delivery> send(Message message) {
    return CompletableFuture.completedFuture(
        down ? new Delivery.Unavailable("down", null) : answers.apply(message));
  }

  @Override
  public Optional<String> problem() {
    return down ? Optional.of("down") : Optional.empty();
  }

  @Override
  public Duration deliveryTimeout() {
    return Duration.ofSeconds(1);
  }
}
