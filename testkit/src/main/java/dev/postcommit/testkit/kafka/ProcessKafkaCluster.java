package dev.postcommit.testkit.kafka;

import dev.postcommit.testkit.process.Guard;
import dev.postcommit.testkit.process.Ports;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

final class ProcessKafkaCluster implements KafkaCluster {

  /** The user of the shared cluster. */
  static final String SHARED_USER = "relay";

  /** An id that no broker has. */
  private static final int CONTROLLER_ID = 100;

  private static @Nullable KafkaCluster sharedCluster;

  private final ClusterUsers users;
  private final Map<Integer, BrokerNode> brokers;
  private final ControllerNode controller;
  private final boolean shared;

  private ProcessKafkaCluster(
      int count, Map<String, String> settings, ClusterUsers users, boolean shared) {
    this.users = users;
    this.shared = shared;
    String clusterId = Uuid.randomUuid().toString();
    Properties extra = new Properties();
    users.addControlTo(extra);
    extra.putAll(settings);
    this.controller = new ControllerNode(Guard.open("kafka"), clusterId, count, extra);
    this.brokers = new LinkedHashMap<>();
    String voters = CONTROLLER_ID + "@" + controller.address();
    for (int id = 1; id <= count; id++) {
      int usersPort = Ports.free();
      int nodeId = id;
      brokers.put(
          id,
          new BrokerNode(
              id,
              usersPort,
              Guard.open("kafka"),
              clusterId,
              (directory, port) -> {
                Properties properties =
                    BrokerDefaults.broker(directory, nodeId, port, voters, count);
                users.addListenerTo(properties, usersPort);
                properties.putAll(extra);
                return properties;
              }));
    }
  }

  static synchronized KafkaCluster shared() {
    if (sharedCluster == null) {
      BuilderImpl builder = new BuilderImpl();
      builder.user(SHARED_USER, "secret");
      sharedCluster = builder.start(true);
    }
    return sharedCluster;
  }

  /** Starts all at once, since each takes seconds and the brokers wait for the controller. */
  private void launch() {
    List<CompletableFuture<?>> started = new ArrayList<>();
    started.add(CompletableFuture.runAsync(controller::launch, ProcessKafkaCluster::thread));
    for (BrokerNode broker : brokers.values()) {
      started.add(CompletableFuture.runAsync(broker::launch, ProcessKafkaCluster::thread));
    }
    try {
      CompletableFuture.allOf(started.toArray(CompletableFuture<?>[]::new)).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof IllegalStateException known ? known : e;
    }
  }

  private static void thread(Runnable work) {
    Thread thread = new Thread(work, "kafka-cluster-start");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public List<Integer> brokers() {
    return List.copyOf(brokers.keySet());
  }

  @Override
  public String bootstrapServers() {
    return brokers.values().stream().map(KafkaNode::address).collect(Collectors.joining(","));
  }

  @Override
  public Map<String, String> clientSettings(String user) {
    String addresses =
        brokers.values().stream()
            .map(broker -> Ports.HOST + ":" + broker.usersPort)
            .collect(Collectors.joining(","));
    return users.clientSettings(user, addresses);
  }

  @Override
  public void createTopic(
      String name, int partitions, int replicationFactor, Map<String, String> configs) {
    KafkaTopics.create(bootstrapServers(), name, partitions, replicationFactor, configs);
  }

  @Override
  public OptionalInt leader(String topic, int partition) {
    @Nullable Node leader = partition(topic, partition).leader();
    return leader == null || leader.isEmpty() ? OptionalInt.empty() : OptionalInt.of(leader.id());
  }

  @Override
  public Set<Integer> inSync(String topic, int partition) {
    return partition(topic, partition).isr().stream().map(Node::id).collect(Collectors.toSet());
  }

  private TopicPartitionInfo partition(String topic, int partition) {
    return KafkaTopics.describe(bootstrapServers(), topic).partitions().get(partition);
  }

  @Override
  public void stop(int broker) {
    node(broker).stop();
  }

  @Override
  public void kill(int broker) {
    node(broker).kill();
  }

  @Override
  public void restart(int broker) {
    node(broker).restart();
  }

  @Override
  public void freeze(int broker) {
    node(broker).freeze();
  }

  @Override
  public void thaw(int broker) {
    node(broker).thaw();
  }

  private BrokerNode node(int broker) {
    @Nullable BrokerNode node = brokers.get(broker);
    if (node == null) {
      throw new IllegalArgumentException("no broker of " + brokers.keySet() + ": " + broker);
    }
    return node;
  }

  @Override
  public void close() {
    if (!shared) {
      end();
    }
  }

  private void end() {
    brokers.values().forEach(BrokerNode::close);
    controller.close();
  }

  private static final class ControllerNode extends KafkaNode {

    ControllerNode(Guard guard, String clusterId, int brokers, Properties extra) {
      super(
          "Kafka controller",
          guard,
          false,
          clusterId,
          List.of("-Xms64m", "-Xmx128m"),
          (directory, port) -> {
            Properties properties =
                BrokerDefaults.controller(directory, CONTROLLER_ID, port, brokers);
            properties.putAll(extra);
            return properties;
          });
    }

    @Override
    protected boolean serves() {
      return Ports.listening(port());
    }
  }

  private static final class BrokerNode extends KafkaNode {
    private final int id;
    private final int usersPort;

    BrokerNode(int id, int usersPort, Guard guard, String clusterId, NodeSettings settings) {
      super(
          "Kafka broker " + id, guard, false, clusterId, List.of("-Xms128m", "-Xmx256m"), settings);
      this.id = id;
      this.usersPort = usersPort;
    }

    @Override
    protected boolean serves() {
      return Ports.listening(port()) && KafkaTopics.isListed(address(), id);
    }
  }

  static final class BuilderImpl implements Builder {

    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Map<String, String> passwords = new LinkedHashMap<>();
    private int count = 3;

    @Override
    public Builder brokers(int count) {
      if (count < 1) {
        throw new IllegalArgumentException("a cluster has brokers, not " + count);
      }
      this.count = count;
      return this;
    }

    @Override
    public Builder setting(String name, String value) {
      settings.put(name, value);
      return this;
    }

    @Override
    public Builder user(String name, String password) {
      passwords.put(name, password);
      return this;
    }

    @Override
    public KafkaCluster start() {
      return start(false);
    }

    private KafkaCluster start(boolean shared) {
      ProcessKafkaCluster cluster =
          new ProcessKafkaCluster(count, Map.copyOf(settings), new ClusterUsers(passwords), shared);
      try {
        cluster.launch();
        return cluster;
      } catch (RuntimeException | Error e) {
        cluster.end();
        throw e;
      }
    }
  }
}
