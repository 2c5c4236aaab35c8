package dev.postcommit.spring.relay;

import static org.awaitility.Awaitility.await;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.spring.Contexts;
import dev.postcommit.spring.Orders;
import dev.postcommit.spring.SpringOutbox;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with a relay, whose broker answers as the test says. */
abstract class RelayFixture {
  static Orders orders;

  final List<Message> sent = new CopyOnWriteArrayList<>();
  volatile Delivery answer = Delivery.DELIVERED;
  volatile String problem;

  /** Says of each message what the test wants. */
  final class Broker implements Publisher {
    @Override
    public CompletionStage<Delivery> send(Message message) {
      if (answer == Delivery.DELIVERED) {
        sent.add(message);
      }
      return CompletableFuture.completedFuture(answer);
    }

    @Override
    public Optional<String> problem() {
      return Optional.ofNullable(problem);
    }

    @Override
    public Duration deliveryTimeout() {
      return Duration.ofSeconds(1);
    }
  }

  @BeforeAll
  static void start() {
    orders = new Orders();
  }

  @AfterAll
  static void stop() {
    orders.close();
  }

  ApplicationContextRunner application() {
    return Contexts.onDatabase(orders.database().jdbcUrl(), orders.database().username())
        .withBean(Publisher.class, Broker::new);
  }

  static void place(ApplicationContext context, int id) {
    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
        .executeWithoutResult(
            status -> context.getBean(SpringOutbox.class).enqueue(Orders.placed(id)));
  }

  void awaitSent(int count) {
    await().atMost(Duration.ofSeconds(20)).until(() -> sent.size() == count);
  }

  static Health health(ApplicationContext context) {
    return context.getBean("postcommitHealthIndicator", HealthIndicator.class).health();
  }

  static void awaitHealth(ApplicationContext context, Status status) {
    await().atMost(Duration.ofSeconds(20)).until(() -> health(context).getStatus().equals(status));
  }
}
