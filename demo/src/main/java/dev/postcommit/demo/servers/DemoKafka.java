package dev.postcommit.demo.servers;

import dev.postcommit.demo.orders.Order;
import dev.postcommit.testkit.kafka.KafkaDeliveries;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.ledger.Deliveries;
import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.process.Processes;
import java.util.Map;

/** A Kafka broker in a process of its own. */
final class DemoKafka implements DemoBroker {

  /** The largest message the topic takes: more than a normal batch, less than a poison payload. */
  private static final int MAX_MESSAGE_BYTES = Order.TOO_LARGE_BYTES / 2;

  private static final int PARTITIONS = 6;

  private final KafkaServer kafka = KafkaServer.start();

  @Override
  public String name() {
    return "Kafka (" + kafka.bootstrapServers() + ")";
  }

  @Override
  public void createTopic() {
    kafka.createTopic(
        Order.TOPIC, PARTITIONS, Map.of("max.message.bytes", Integer.toString(MAX_MESSAGE_BYTES)));
  }

  @Override
  public Deliveries deliveries(Ledger ledger) {
    return new KafkaDeliveries(kafka.bootstrapServers(), Order.TOPIC, ledger);
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
