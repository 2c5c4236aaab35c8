package dev.postcommit.testkit;

import java.nio.file.Path;
import java.util.Properties;

/** The settings of a single small broker that is its own controller. */
final class BrokerDefaults {

  private BrokerDefaults() {}

  static Properties properties(Path directory, int port, int controllerPort) {
    Properties properties = new Properties();
    properties.setProperty("process.roles", "broker,controller");
    properties.setProperty("node.id", "1");
    properties.setProperty("log.dirs", directory.resolve("data").toString());
    String broker = Ports.HOST + ":" + port;
    String controller = Ports.HOST + ":" + controllerPort;
    properties.setProperty("listeners", "PLAINTEXT://" + broker + ",CONTROLLER://" + controller);
    properties.setProperty("advertised.listeners", "PLAINTEXT://" + broker);
    properties.setProperty("controller.listener.names", "CONTROLLER");
    properties.setProperty("controller.quorum.voters", "1@" + controller);

    properties.setProperty("auto.create.topics.enable", "false");
    properties.setProperty("num.partitions", "1");
    for (String topic :
        new String[] {"offsets.topic", "transaction.state.log", "share.coordinator.state.topic"}) {
      properties.setProperty(topic + ".num.partitions", "1");
      properties.setProperty(topic + ".replication.factor", "1");
    }
    properties.setProperty("transaction.state.log.min.isr", "1");
    properties.setProperty("share.coordinator.state.topic.min.isr", "1");

    // After a kill, the broker may not come back before its old session is over.
    properties.setProperty("broker.session.timeout.ms", "3000");
    properties.setProperty("broker.heartbeat.interval.ms", "500");
    // A first consumer need not wait for others to join.
    properties.setProperty("group.initial.rebalance.delay.ms", "0");
    // Kafka's own would take a quarter of the heap.
    properties.setProperty("log.cleaner.dedupe.buffer.size", "8388608");
    properties.setProperty("num.network.threads", "2");
    properties.setProperty("num.io.threads", "4");
    return properties;
  }
}
