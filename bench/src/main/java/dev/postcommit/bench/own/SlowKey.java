package dev.postcommit.bench.own;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * A broker that takes its time for messages of one key, and sends them nowhere. One thread answers
 * for all of them, as a client of a broker does: on two cores, the default for such tasks would be
 * a new thread for each.
 */
final class SlowKey implements Publisher {
  private final Publisher broker;
  private final String key;
  private final long delayMillis;

  SlowKey(Publisher broker, String key, Duration slowness) {
    this.broker = broker;
    this.key = key;
    this.delayMillis = slowness.toMillis();
  }

  @Override
  public CompletionStage<Delivery> send(Message message) {
    return send(message, broker::send);
  }

  private CompletionStage<Delivery> send(Message message, Handover handover) {
    return key.equals(message.key()) ? sendSlowly() : handover.send(message);
  }

  /** Answered by the one thread that the JDK has for all timeouts. */
  private CompletionStage<Delivery> sendSlowly() {
    return new CompletableFuture<Delivery>()
        .completeOnTimeout(Delivery.DELIVERED, delayMillis, TimeUnit.MILLISECONDS);
  }

  @Override
  public Handover handover() {
    Handover handover = broker.handover();
    return new Handover() {
      @Override
      public CompletionStage<Delivery> send(Message message) {
        return SlowKey.this.send(message, handover);
      }

      @Override
      public void close() {
        handover.close();
      }
    };
  }

  @Override
  public Optional<String> problem() {
    return broker.problem();
  }

  @Override
  public Duration deliveryTimeout() {
    return broker.deliveryTimeout();
  }

  @Override
  public boolean keepsOrder() {
    return broker.keepsOrder();
  }

  @Override
  public void close() {
    broker.close();
  }
}
