package dev.postcommit.demo;

import dev.postcommit.testkit.Deliveries;
import dev.postcommit.testkit.KafkaDeliveries;
import dev.postcommit.testkit.KafkaServer;
import dev.postcommit.testkit.Ledger;
import dev.postcommit.testkit.Processes;
import java.util.Map;

/** A Kafka in a process of its own. */
final class DemoKafka implements DemoBroker {

  /** What the topic takes at most; between an ordinary batch and a poisonous payload. */
  static final int MAX_MESSAGE_BYTES = 256 * 1024;

  private static final int PARTITIONS = 6;

  private final KafkaServer kafka = KafkaServer.start();

  @Override
  public String name() {
    return "Kafka (" + kafka.bootstrapServers() + ")";
  }

  @Override
  public void createTopic() {
    kafka.createTopic(
        TOPIC, PARTITIONS, Map.of("max.message.bytes", Integer.toString(MAX_MESSAGE_BYTES)));
  }

  @Override
  public Deliveries deliveries(Ledger ledger) {
    return new KafkaDeliveries(kafka.bootstrapServers(), TOPIC, ledger);
  }

  @Override
  public void connect(Processes.Builder relay) {
    relay
        .arguments("--lease", "6s")
        .arguments("--kafka-bootstrap-servers", kafka.bootstrapServers())
        .arguments("--kafka-config", "delivery.timeout.ms=2000")
        .arguments("--kafka-config", "request.timeout.ms=1000")
        .arguments("--kafka-config", "max.block.ms=500");
  }

  @Override
  public String relayCommand() {
    return "./postcommit relay --kafka-bootstrap-servers " + kafka.bootstrapServers();
  }

  @Override
  public void close() {
    kafka.close();
  }
}
