package dev.postcommit.testkit.kafka;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A real Kafka cluster: three brokers, each in a process of its own, on free ports of the loopback
 * address, with their data in temporary directories.
 *
 * <p>Another process is the cluster's only controller. It always runs, so however many brokers are
 * down, the remaining ones still answer, elect leaders and reject messages. The brokers are those
 * of the artifact {@code org.apache.kafka:kafka_2.13}, run with this JVM's Java and class path.
 * Topics are not created automatically by default. Safe for use by many threads.
 */
public interface KafkaCluster extends AutoCloseable {

  /** Starts a cluster with the default settings. */
  static KafkaCluster start() {
    return builder().start();
  }

  /**
   * Returns the cluster that all tests of this JVM share, started by the first call. It ends with
   * the JVM; {@link #close()} does nothing. It has the user {@value
   * ProcessKafkaCluster#SHARED_USER}. Tests use topic names of their own, and restart every broker
   * that they stopped.
   */
  static KafkaCluster shared() {
    return ProcessKafkaCluster.shared();
  }

  /** Returns a builder of a cluster with other settings. */
  static Builder builder() {
    return new ProcessKafkaCluster.BuilderImpl();
  }

  /** Returns the ids of all brokers, running or not. */
  List<Integer> brokers();

  /** Returns the addresses of all brokers, the same after any of them is restarted. */
  String bootstrapServers();

  /**
   * Returns the settings of a client that logs in as a {@linkplain Builder#user user}: addresses,
   * user name and password. A client that has only {@link #bootstrapServers} may do everything.
   */
  Map<String, String> clientSettings(String user);

  /** Creates a topic and returns when clients can use it. */
  void createTopic(String name, int partitions, int replicationFactor, Map<String, String> configs);

  /** Returns the broker that leads a partition, if it has a leader. */
  OptionalInt leader(String topic, int partition);

  /** Returns the brokers whose replicas of a partition are in sync. */
  Set<Integer> inSync(String topic, int partition);

  /** Shuts a broker down cleanly, after it has handed over its partitions. */
  void stop(int broker);

  /** Ends a broker at once, by SIGKILL. */
  void kill(int broker);

  /**
   * Starts a broker on the same port with the same data, after a clean stop if it is running, and
   * returns when it serves clients. Its replicas may not be in sync yet.
   */
  void restart(int broker);

  /** Freezes a broker, by SIGSTOP: connections stay open and nothing answers. */
  void freeze(int broker);

  /** Lets a frozen broker go on. */
  void thaw(int broker);

  /** Ends all processes and removes their directories. */
  @Override
  void close();

  /** Collects the settings of a cluster. */
  interface Builder {

    /** Sets the number of brokers. Default: 3. */
    Builder brokers(int count);

    /**
     * Sets one setting of every broker and the controller, as in {@code server.properties}.
     * Default: Kafka's own, except what small brokers need.
     */
    Builder setting(String name, String value);

    /**
     * Adds a user, who may do only what ACLs allow. A user turns access control on, and the brokers
     * get a second listener, for SASL/PLAIN; see {@link #clientSettings}. Default: no users and no
     * access control.
     */
    Builder user(String name, String password);

    /** Starts a cluster and returns when all its brokers serve clients. */
    KafkaCluster start();
  }
}
