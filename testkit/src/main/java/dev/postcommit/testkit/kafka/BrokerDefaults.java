package dev.postcommit.testkit.kafka;

import dev.postcommit.testkit.process.Ports;
import java.nio.file.Path;
import java.util.Properties;

/** The settings of small brokers and controllers. */
final class BrokerDefaults {

  private BrokerDefaults() {}

  /** Returns settings of a single broker that is its own controller. */
  static Properties properties(Path directory, int port, int controllerPort) {
    Properties properties = small(directory, 1);
    properties.setProperty("process.roles", "broker,controller");
    properties.setProperty("node.id", "1");
    String broker = Ports.HOST + ":" + port;
    String controller = Ports.HOST + ":" + controllerPort;
    properties.setProperty("listeners", "PLAINTEXT://" + broker + ",CONTROLLER://" + controller);
    properties.setProperty("advertised.listeners", "PLAINTEXT://" + broker);
    properties.setProperty("controller.quorum.voters", "1@" + controller);
    return properties;
  }

  /** The one controller of a cluster. */
  static Properties controller(Path directory, int id, int port, int brokers) {
    Properties properties = small(directory, brokers);
    properties.setProperty("process.roles", "controller");
    properties.setProperty("node.id", Integer.toString(id));
    String address = Ports.HOST + ":" + port;
    properties.setProperty("listeners", "CONTROLLER://" + address);
    properties.setProperty("controller.quorum.voters", id + "@" + address);
    return properties;
  }

  /** One broker of a cluster whose controller is a process of its own. */
  static Properties broker(Path directory, int id, int port, String voters, int brokers) {
    Properties properties = small(directory, brokers);
    properties.setProperty("process.roles", "broker");
    properties.setProperty("node.id", Integer.toString(id));
    String address = "PLAINTEXT://" + Ports.HOST + ":" + port;
    properties.setProperty("listeners", address);
    properties.setProperty("advertised.listeners", address);
    properties.setProperty("controller.quorum.voters", voters);
    properties.setProperty("default.replication.factor", Integer.toString(brokers));
    return properties;
  }

  private static Properties small(Path directory, int brokers) {
    Properties properties = new Properties();
    properties.setProperty("log.dirs", directory.resolve("data").toString());
    properties.setProperty("controller.listener.names", "CONTROLLER");

    properties.setProperty("auto.create.topics.enable", "false");
    properties.setProperty("num.partitions", "1");
    for (String topic :
        new String[] {"offsets.topic", "transaction.state.log", "share.coordinator.state.topic"}) {
      properties.setProperty(topic + ".num.partitions", "1");
      properties.setProperty(topic + ".replication.factor", Integer.toString(brokers));
    }
    properties.setProperty("transaction.state.log.min.isr", "1");
    properties.setProperty("share.coordinator.state.topic.min.isr", "1");

    // After a kill, the broker can register again only when its old session is over.
    properties.setProperty("broker.session.timeout.ms", "3000");
    properties.setProperty("broker.heartbeat.interval.ms", "500");
    // The first consumer does not wait for others to join.
    properties.setProperty("group.initial.rebalance.delay.ms", "0");
    // The default would take a quarter of the heap.
    properties.setProperty("log.cleaner.dedupe.buffer.size", "8388608");
    properties.setProperty("num.network.threads", "2");
    properties.setProperty("num.io.threads", "4");
    return properties;
  }
}
