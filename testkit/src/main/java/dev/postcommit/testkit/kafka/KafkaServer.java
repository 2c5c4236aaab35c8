package dev.postcommit.testkit.kafka;

import dev.postcommit.testkit.process.ControlledServer;
import java.util.Map;

/**
 * A real Kafka broker that is its own controller, in a separate process on free ports of the
 * loopback address, with its data in a temporary directory.
 *
 * <p>The broker is the one of the artifact {@code org.apache.kafka:kafka_2.13}, run with this JVM's
 * Java and class path. Topics are not created automatically by default. Safe for use by many
 * threads.
 */
public interface KafkaServer extends ControlledServer {

  /** Starts a broker with the default settings. */
  static KafkaServer start() {
    return builder().start();
  }

  /**
   * Returns the broker that all tests of this JVM share, started by the first call. It ends with
   * the JVM; {@link #close()} does nothing. Tests use topic names of their own; a test that stops
   * or freezes the broker starts its own.
   */
  static KafkaServer shared() {
    return ProcessKafkaServer.shared();
  }

  /** Returns a builder of a broker with other settings. */
  static Builder builder() {
    return new ProcessKafkaServer.BuilderImpl();
  }

  /** Returns the address for clients, the same after a {@link #restart()}. */
  String bootstrapServers();

  /** Returns the address of an added {@linkplain Builder#listener listener}. */
  String bootstrapServers(String listener);

  /** Adds a user, who can log in with SCRAM-SHA-512 at listeners that accept it. */
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
     * Sets one broker setting, as in {@code server.properties}. Default: Kafka's own, except what a
     * single small broker needs (internal topics of one partition and one replica).
     */
    Builder setting(String name, String value);

    /**
     * Adds another listener, on a port of its own; see {@link
     * KafkaServer#bootstrapServers(String)}. Default: none.
     *
     * @param name its name, in capital letters
     * @param protocol its security protocol, such as {@code SSL} or {@code SASL_SSL}
     * @param settings its settings without the prefix {@code listener.name.<name>.}, such as {@code
     *     ssl.keystore.location}
     */
    Builder listener(String name, String protocol, Map<String, String> settings);

    /** Sets whether using a missing topic creates it. Default: false. */
    Builder autoCreateTopics(boolean autoCreateTopics);

    /** Starts a broker and returns when it serves clients. */
    KafkaServer start();
  }
}
