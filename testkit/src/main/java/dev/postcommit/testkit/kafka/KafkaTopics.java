package dev.postcommit.testkit.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Administers the topics of a broker. */
final class KafkaTopics {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** The smallest value that Kafka accepts. */
  private static final int SCRAM_ITERATIONS = 4096;

  private KafkaTopics() {}

  static void create(
      String bootstrapServers,
      String name,
      int partitions,
      int replicationFactor,
      Map<String, String> configs) {
    try (Admin admin = admin(bootstrapServers)) {
      NewTopic topic = new NewTopic(name, partitions, (short) replicationFactor).configs(configs);
      String what = "Creating topic " + name;
      create(admin, topic, what);
      long begin = System.nanoTime();
      while (!known(admin, name)) {
        if (System.nanoTime() - begin > TIMEOUT.toNanos()) {
          throw new IllegalStateException(what + ": not known to the broker after " + TIMEOUT);
        }
      }
    }
  }

  /** A restarted broker is fenced for a moment and gets no partitions. */
  private static void create(Admin admin, NewTopic topic, String what) {
    long begin = System.nanoTime();
    boolean isFenced;
    do {
      try {
        await(what, admin.createTopics(List.of(topic)).all(), TIMEOUT);
        isFenced = false;
      } catch (IllegalStateException e) {
        isFenced = e.getCause() instanceof InvalidReplicationFactorException;
        if (!isFenced || System.nanoTime() - begin > TIMEOUT.toNanos()) {
          throw e;
        }
      }
    } while (isFenced);
  }

  static void addUser(String bootstrapServers, String name, String password) {
    var scram = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, SCRAM_ITERATIONS);
    try (Admin admin = admin(bootstrapServers)) {
      await(
          "Adding user " + name,
          admin
              .alterUserScramCredentials(
                  List.of(new UserScramCredentialUpsertion(name, scram, password)))
              .all(),
          TIMEOUT);
    }
  }

  static void awaitBroker(String bootstrapServers, Duration timeout) {
    try (Admin admin = admin(bootstrapServers)) {
      await("Asking for brokers", admin.describeCluster().nodes(), timeout);
    }
  }

  /** Returns whether a broker lists itself, as it does once it serves clients. */
  static boolean isListed(String address, int id) {
    try (Admin admin = admin(address)) {
      return get("Asking for brokers", admin.describeCluster().nodes(), TIMEOUT).stream()
          .anyMatch(node -> node.id() == id);
    }
  }

  static TopicDescription describe(String bootstrapServers, String topic) {
    try (Admin admin = admin(bootstrapServers)) {
      String what = "Describing topic " + topic;
      var found = get(what, admin.describeTopics(List.of(topic)).allTopicNames(), TIMEOUT);
      return Objects.requireNonNull(found.get(topic), what);
    }
  }

  private static boolean known(Admin admin, String topic) {
    try {
      admin
          .describeTopics(List.of(topic))
          .allTopicNames()
          .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return false;
      }
      throw new IllegalStateException("Could not look up topic " + topic, e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("Could not look up topic " + topic, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }

  private static void await(String what, KafkaFuture<?> future, Duration timeout) {
    Object unused = get(what, future, timeout);
  }

  private static <T extends @Nullable Object> T get(
      String what, KafkaFuture<T> future, Duration timeout) {
    try {
      return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(what + " failed", e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException(what + " took longer than " + timeout, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(what + " was interrupted", e);
    }
  }

  private static Admin admin(String bootstrapServers) {
    return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
  }
}
