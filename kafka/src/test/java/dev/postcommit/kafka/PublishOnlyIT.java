package dev.postcommit.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.relay.Message;
import dev.postcommit.testkit.kafka.KafkaReader;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A service that only publishes, without the consumer engine and Jackson. */
class PublishOnlyIT {

  /** Runs in a process without these. */
  static final class Service {
    private Service() {}

    public static void main(String[] arguments) throws Exception {
      PublishOnlyIT.requireMissing("dev.postcommit.consumer.EventConsumer");
      PublishOnlyIT.requireMissing("com.fasterxml.jackson.databind.ObjectMapper");
      PublishOnlyIT.requireMissing("com.fasterxml.jackson.core.JsonFactory");
      Message message = new Message(arguments[1], "key", Map.of(), "body".getBytes(UTF_8));
      try (KafkaPublisher publisher =
          KafkaPublisher.builder().bootstrapServers(arguments[0]).build()) {
        System.out.println(publisher.problem().orElse("no problem"));
        System.out.println(publisher.send(message).toCompletableFuture().get(30, TimeUnit.SECONDS));
      }
    }
  }

  static void requireMissing(String name) {
    try {
      throw new IllegalStateException(Class.forName(name) + " is on the class path");
    } catch (ClassNotFoundException e) {
      System.out.println(name + " is missing");
    }
  }

  @Test
  @DisplayName("a publisher needs neither the consumer engine nor Jackson")
  void aPublisherNeedsNeitherConsumerNorJackson() throws Exception {
    KafkaServer kafka = KafkaServer.shared();
    String topic = "topic-" + UUID.randomUUID();
    kafka.createTopic(topic, 1);
    try (Processes processes = Processes.create()) {
      ChildProcess service =
          processes
              .java(Service.class)
              .without(
                  EventConsumer.class,
                  Class.forName("com.fasterxml.jackson.databind.ObjectMapper"),
                  Class.forName("com.fasterxml.jackson.core.JsonFactory"))
              .arguments(kafka.bootstrapServers(), topic)
              .start();
      int exit = service.awaitExit(Duration.ofMinutes(1));
      assertThat(service.output()).contains("no problem", "Delivered");
      assertThat(exit).isZero();
    }
    assertThat(KafkaReader.read(kafka.bootstrapServers(), topic, 1)).hasSize(1);
  }
}
