package dev.postcommit.testkit.relay;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A broker that does what a test says, and remembers what it accepted. */
public final class ScriptedPublisher implements Publisher {
  private final List<Message> accepted = new CopyOnWriteArrayList<>();
  private volatile Function<Message, CompletionStage<Delivery>> script =
      message -> CompletableFuture.completedFuture(Delivery.DELIVERED);
  private volatile boolean ready = true;
  private volatile Duration deliveryTimeout = Duration.ofSeconds(1);

  ScriptedPublisher answering(Function<Message, Delivery> answers) {
    return completing(message -> CompletableFuture.completedFuture(answers.apply(message)));
  }

  public ScriptedPublisher completing(Function<Message, CompletionStage<Delivery>> answers) {
    script = answers;
    return this;
  }

  ScriptedPublisher ready(boolean isReady) {
    ready = isReady;
    return this;
  }

  public ScriptedPublisher deliveryTimeout(Duration timeout) {
    deliveryTimeout = timeout;
    return this;
  }

  public List<String> accepted() {
    return accepted.stream().map(ScriptedPublisher::id).toList();
  }

  List<Message> messages() {
    return List.copyOf(accepted);
  }

  static String id(Message message) {
    return message.headers().get("event_id");
  }

  @Override
  public CompletionStage<Delivery> send(Message message) {
    return script
        .apply(message)
        .thenApply(
            delivery -> {
              if (delivery instanceof Delivery.Delivered) {
                accepted.add(message);
              }
              return delivery;
            });
  }

  @Override
  public Optional<String> problem() {
    return ready ? Optional.empty() : Optional.of("it does not answer");
  }

  @Override
  public Duration deliveryTimeout() {
    return deliveryTimeout;
  }
}
