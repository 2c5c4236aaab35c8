package dev.postcommit.kafka.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.Outcome;
import dev.postcommit.testkit.contract.ScriptedConsumer;
import dev.postcommit.testkit.kafka.KafkaServer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the client does not report: whether its broker is gone, or only slow to answer. */
class SilentBrokerIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void aBrokerThatIsGoneIsAProblemUntilItIsBack() {
    AtomicInteger handled = new AtomicInteger();
    ScriptedConsumer consumer =
        new ScriptedConsumer(
            item -> {
              handled.incrementAndGet();
              return Outcome.Done.PROCESSED;
            });
    try (KafkaServer kafka = KafkaServer.start();
        ConsumedTopic topic = new ConsumedTopic(kafka, 1);
        KafkaEventConsumer running = topic.consumer(consumer).build()) {
      topic.send(0, "key", "x");
      topic.flush();
      running.start();
      await().atMost(PATIENCE).until(() -> topic.committed(consumer, 0) == 1);
      await().atMost(PATIENCE).until(() -> running.lag().orElse(-1) == 0);
      assertThat(running.problem()).isEmpty();

      kafka.stop();
      await().atMost(PATIENCE).until(() -> running.problem().isPresent());
      assertThat(running.problem().orElseThrow())
          .contains("no answer from Kafka for 15 s")
          .contains("nothing listens at " + kafka.bootstrapServers());
      assertThat(running.lag()).as("a lag that nobody knows").isEmpty();
      assertThat(running.running()).isTrue();

      kafka.restart();
      await().atMost(PATIENCE).until(() -> running.problem().isEmpty());
      topic.send(0, "key", "y");
      topic.flush();
      await().atMost(PATIENCE).until(() -> handled.get() == 2);
    }
  }

  @Test
  void aMemberThatJoinsBehindACrashedOneIsNoProblem() {
    AtomicInteger handled = new AtomicInteger();
    ScriptedConsumer consumer =
        new ScriptedConsumer(
            item -> {
              handled.incrementAndGet();
              return Outcome.Done.PROCESSED;
            });
    try (KafkaServer kafka = KafkaServer.start();
        ConsumedTopic topic = new ConsumedTopic(kafka, 1);
        KafkaEventConsumer running =
            topic.consumer(consumer).property("session.timeout.ms", 20_000).build()) {
      topic.crashMember(consumer, Duration.ofSeconds(20));
      topic.send(0, "key", "x");
      topic.flush();
      running.start();
      await()
          .atMost(Duration.ofSeconds(40))
          .until(
              () -> {
                assertThat(running.problem()).isEmpty();
                return handled.get() == 1;
              });
    }
  }

  /** The listener answers which versions it speaks, and hangs up at the first other question. */
  @Test
  void aListenerThatAsksForALoginIsAProblem() {
    ScriptedConsumer consumer = new ScriptedConsumer(item -> Outcome.Done.PROCESSED);
    Map<String, String> login =
        Map.of(
            "sasl.enabled.mechanisms",
            "PLAIN",
            "plain.sasl.jaas.config",
            "org.apache.kafka.common.security.plain.PlainLoginModule required user_a=\"b\";");
    try (KafkaServer kafka =
            KafkaServer.builder().listener("USERS", "SASL_PLAINTEXT", login).start();
        ConsumedTopic topic = new ConsumedTopic(kafka, 1);
        KafkaEventConsumer running =
            topic
                .consumer(consumer)
                .bootstrapServers(kafka.bootstrapServers("USERS"))
                .property("session.timeout.ms", 6_000)
                .property("max.poll.interval.ms", 10_000)
                .build()) {
      running.start();
      await().atMost(Duration.ofSeconds(30)).until(() -> running.problem().isPresent());
      assertThat(running.problem().orElseThrow())
          .contains("no answer from Kafka for 15 s")
          .contains("if it asks for a login, set security.protocol=SASL_PLAINTEXT");
    }
  }
}
