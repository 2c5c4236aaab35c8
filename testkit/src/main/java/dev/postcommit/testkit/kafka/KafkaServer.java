package dev.postcommit.testkit.kafka;

import dev.postcommit.testkit.process.ControlledServer;
import java.util.Map;

/**
 * A real Kafka broker, its own controller, in a process of its own on free ports of the loopback
 * address, with its data in a temporary directory.
 *
 * <p>The broker is the one of the artifact {@code org.apache.kafka:kafka_2.13}, run with this JVM's
 * Java and class path. Topics are not created by use unless asked for. Safe for use by many
 * threads.
 */
public interface KafkaServer extends ControlledServer {

  /** Starts a broker with the default settings. */
  static KafkaServer start() {
    return builder().start();
  }

  /**
   * The broker that all tests of this JVM share, started by the first call. It ends with the JVM:
   * its {@link #close()} does nothing. Tests get their isolation from topic names of their own;
   * those that stop or freeze the broker start one of their own.
   */
  static KafkaServer shared() {
    return ProcessKafkaServer.shared();
  }

  /** A builder of a broker with settings of its own. */
  static Builder builder() {
    return new ProcessKafkaServer.BuilderImpl();
  }

  /** The address clients start from, the same after a {@link #restart()}. */
  String bootstrapServers();

  /** The address of a {@linkplain Builder#listener listener} of your own. */
  String bootstrapServers(String listener);

  /** Lets a user log in by SCRAM-SHA-512, at listeners that take that, from now on. */
  void addUser(String name, String password);

  /** Creates a topic and returns when clients can use it. */
  default void createTopic(String name, int partitions) {
    createTopic(name, partitions, Map.of());
  }

  /** Creates a topic with {@code configs} and returns when clients can use it. */
  void createTopic(String name, int partitions, Map<String, String> configs);

  /** Collects the settings of a broker. */
  interface Builder {

    /**
     * Sets one broker setting, as in {@code server.properties}. Default: Kafka's own, but for what
     * a single small broker needs (internal topics of one partition and one replica).
     */
    Builder setting(String name, String value);

    /**
     * Adds a listener beside the plain one, on a port of its own; see {@link
     * KafkaServer#bootstrapServers(String)}. Default: none.
     *
     * @param name its name, in capital letters
     * @param protocol what it speaks, as {@code SSL} or {@code SASL_SSL}
     * @param settings its settings without {@code listener.name.<name>.} before them, as {@code
     *     ssl.keystore.location}
     */
    Builder listener(String name, String protocol, Map<String, String> settings);

    /** Whether using a topic that does not exist creates it. Default: false. */
    Builder autoCreateTopics(boolean autoCreateTopics);

    /** Starts a broker and returns when it serves clients. */
    KafkaServer start();
  }
}
