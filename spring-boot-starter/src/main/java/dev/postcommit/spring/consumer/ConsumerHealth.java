package dev.postcommit.spring.consumer;

import dev.postcommit.consumer.spi.BrokerConsumer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** The health of the consumer: up while it reads, and its broker and its inbox can be used. */
final class ConsumerHealth implements HealthIndicator {
  private final ConsumerLifecycle consumer;
  private final ConsumerStatus status;

  ConsumerHealth(ConsumerLifecycle consumer, ConsumerStatus status) {
    this.consumer = consumer;
    this.status = status;
  }

  @Override
  public Health health() {
    List<BrokerConsumer> readers = consumer.running();
    boolean running = !readers.isEmpty() && readers.stream().allMatch(BrokerConsumer::running);
    Optional<String> problem =
        readers.stream().flatMap(reader -> reader.problem().stream()).findFirst();
    boolean up = running && problem.isEmpty() && status.inboxProblem().isEmpty();
    Health.Builder health =
        (up ? Health.up() : Health.down())
            .withDetail("consumer", running ? "running" : "stopped")
            .withDetail("broker", problem.orElse("ok"))
            .withDetail("inbox", status.inboxProblem().orElse("ok"))
            .withDetail("pending", readers.stream().mapToInt(BrokerConsumer::pending).sum());
    List<OptionalLong> lags = readers.stream().map(BrokerConsumer::lag).toList();
    if (running && lags.stream().allMatch(OptionalLong::isPresent)) {
      health.withDetail("lag", lags.stream().mapToLong(OptionalLong::orElseThrow).sum());
    }
    return health.build();
  }
}
