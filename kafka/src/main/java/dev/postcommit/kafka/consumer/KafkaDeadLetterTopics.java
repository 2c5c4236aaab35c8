package dev.postcommit.kafka.consumer;

import static org.apache.kafka.common.config.TopicConfig.MAX_MESSAGE_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_MS_CONFIG;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates missing dead-letter topics. Safe for use by many threads. */
final class KafkaDeadLetterTopics implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(KafkaDeadLetterTopics.class);

  private final Map<String, Object> properties;
  private final Set<String> known = ConcurrentHashMap.newKeySet();
  private @Nullable Admin admin;

  KafkaDeadLetterTopics(Map<String, Object> properties) {
    this.properties = properties;
  }

  /**
   * Creates the topic for dead letters of {@code source} if it does not exist: with the same number
   * of partitions, unlimited retention, and messages up to twice the size.
   *
   * @throws ExecutionException if the cluster refuses
   * @throws TimeoutException if the cluster does not answer
   */
  void require(String topic, String source)
      throws ExecutionException, TimeoutException, InterruptedException {
    if (known.contains(topic)) {
      return;
    }
    if (!exists(topic)) {
      create(topic, source);
    }
    known.add(topic);
  }

  /** Asks again before the next dead letter to a topic, because it may have been deleted. */
  void forget(String topic) {
    known.remove(topic);
  }

  private boolean exists(String topic)
      throws ExecutionException, TimeoutException, InterruptedException {
    try {
      describe(topic);
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return false;
      }
      throw e;
    }
  }

  private TopicDescription describe(String topic)
      throws ExecutionException, TimeoutException, InterruptedException {
    Map<String, TopicDescription> found =
        answer(admin().describeTopics(List.of(topic)).allTopicNames());
    return Objects.requireNonNull(found.get(topic), topic);
  }

  private void create(String topic, String source)
      throws ExecutionException, TimeoutException, InterruptedException {
    int partitions = describe(source).partitions().size();
    String largest = Integer.toString(largestDeadLetter(source));
    NewTopic wanted =
        new NewTopic(topic, Optional.of(partitions), Optional.empty())
            .configs(Map.of(RETENTION_MS_CONFIG, "-1", MAX_MESSAGE_BYTES_CONFIG, largest));
    try {
      answer(admin().createTopics(List.of(wanted)).all());
      log.info("created topic {} for dead letters, with {} partitions", topic, partitions);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw e;
      }
    }
  }

  private int largestDeadLetter(String source)
      throws ExecutionException, TimeoutException, InterruptedException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, source);
    Map<ConfigResource, Config> found = answer(admin().describeConfigs(List.of(resource)).all());
    Config config = Objects.requireNonNull(found.get(resource), source);
    String largest = config.get(MAX_MESSAGE_BYTES_CONFIG).value();
    return (int) Math.min(2 * Long.parseLong(largest), Integer.MAX_VALUE);
  }

  private static <T> T answer(Future<T> future)
      throws ExecutionException, TimeoutException, InterruptedException {
    return future.get(ConsumerSettings.ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private synchronized Admin admin() {
    if (admin == null) {
      admin = Admin.create(properties);
    }
    return admin;
  }

  @Override
  public synchronized void close() {
    if (admin != null) {
      admin.close(Duration.ZERO);
      admin = null;
    }
  }
}
