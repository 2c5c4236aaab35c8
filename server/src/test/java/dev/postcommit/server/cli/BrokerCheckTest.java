package dev.postcommit.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.server.relay.Broker;
import dev.postcommit.settings.BrokerSettings.BrokerName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class BrokerCheckTest {
  private final CountDownLatch answer = new CountDownLatch(1);
  private volatile boolean closed;

  /** A broker that answers when it is let, with a text of two lines. */
  private final class Slow implements Broker, Publisher {
    @Override
    public BrokerName kind() {
      return BrokerName.KAFKA;
    }

    @Override
    public String name() {
      return "Slow";
    }

    @Override
    public Publisher publisher(List<String> topics) {
      return this;
    }

    @Override
    public String shorterDelivery() {
      return "patience";
    }

    @Override
    public CompletionStage<Delivery> send(Message message) {
      return CompletableFuture.completedFuture(Delivery.DELIVERED);
    }

    @Override
    public Optional<String> problem() {
      try {
        answer.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return Optional.of("not\nnow");
    }

    @Override
    public Duration deliveryTimeout() {
      return Duration.ofSeconds(1);
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Test
  void nobodyWaitsForABrokerThatIsWatched() {
    try (BrokerCheck check = new BrokerCheck(new Slow(), List.of())) {
      check.start();
      assertThat(check.state()).isEqualTo("no answer yet");
      answer.countDown();
      await().until(() -> check.state().equals("not now"));
      assertThat(check.line()).isEqualTo("Slow: not now");
    }
    assertThat(closed).isTrue();
  }
}
