package dev.postcommit.testkit.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A service that only publishes, without the consumer engine and Jackson. */
public abstract class PublishOnlyContract {
  private static final List<String> MISSING =
      List.of(
          "dev.postcommit.consumer.EventConsumer",
          "com.fasterxml.jackson.databind.ObjectMapper",
          "com.fasterxml.jackson.core.JsonFactory");

  /** Creates a topic; returns what the publisher must know about the broker. */
  protected abstract List<String> broker(String topic);

  /** A publisher to {@code topic}, in a process without the consumer engine. */
  protected abstract Publisher publisher(List<String> broker, String topic);

  /** The messages that have arrived in {@code topic}. */
  protected abstract List<Message> read(String topic);

  /** Runs in a process without the missing classes. */
  static final class Service {
    private Service() {}

    /** Arguments: the contract's class, the topic, the broker. */
    public static void main(String[] arguments) throws Exception {
      MISSING.forEach(PublishOnlyContract::requireMissing);
      Constructor<?> constructor = Class.forName(arguments[0]).getDeclaredConstructor();
      constructor.setAccessible(true);
      PublishOnlyContract contract = (PublishOnlyContract) constructor.newInstance();
      List<String> broker = Arrays.asList(arguments).subList(2, arguments.length);
      Message message = new Message(arguments[1], "key", Map.of(), "body".getBytes(UTF_8));
      try (Publisher publisher = contract.publisher(broker, arguments[1])) {
        System.out.println(publisher.problem().orElse("no problem"));
        System.out.println(publisher.send(message).toCompletableFuture().get(30, TimeUnit.SECONDS));
      }
    }
  }

  private static void requireMissing(String name) {
    try {
      throw new IllegalStateException(Class.forName(name) + " is on the class path");
    } catch (ClassNotFoundException e) {
      System.out.println(name + " is missing");
    }
  }

  @Test
  @DisplayName("a publisher needs neither the consumer engine nor Jackson")
  void aPublisherNeedsNeitherConsumerNorJackson() throws Exception {
    String topic = "topic-" + UUID.randomUUID();
    List<String> broker = broker(topic);
    Class<?>[] missing = new Class<?>[MISSING.size()];
    for (int i = 0; i < missing.length; i++) {
      missing[i] = Class.forName(MISSING.get(i));
    }
    try (Processes processes = Processes.create()) {
      ChildProcess service =
          processes
              .java(Service.class)
              .without(missing)
              .arguments(
                  Stream.concat(Stream.of(getClass().getName(), topic), broker.stream())
                      .toArray(String[]::new))
              .start();
      int exit = service.awaitExit(Duration.ofMinutes(1));
      assertThat(service.output()).contains("no problem", "Delivered");
      assertThat(exit).isZero();
    }
    assertThat(read(topic)).hasSize(1);
  }
}
