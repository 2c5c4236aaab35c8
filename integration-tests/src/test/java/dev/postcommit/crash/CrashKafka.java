package dev.postcommit.crash;

import dev.postcommit.testkit.kafka.KafkaDeliveries;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.ledger.Deliveries;
import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.process.Processes;
import java.time.Duration;

/** A Kafka that is killed and started again. */
final class CrashKafka implements CrashBroker {
  private final KafkaServer kafka = KafkaServer.start();

  CrashKafka() {
    kafka.createTopic(CrashScene.TOPIC, 4);
  }

  @Override
  public Duration lease() {
    return Duration.ofSeconds(8);
  }

  @Override
  public void connect(Processes.Builder relay) {
    relay
        .arguments("--kafka-bootstrap-servers", kafka.bootstrapServers())
        .arguments("--kafka-config", "delivery.timeout.ms=4000")
        .arguments("--kafka-config", "request.timeout.ms=1000")
        .arguments("--kafka-config", "max.block.ms=500");
  }

  @Override
  public Deliveries deliveries(Ledger ledger) {
    return new KafkaDeliveries(kafka.bootstrapServers(), CrashScene.TOPIC, ledger);
  }

  @Override
  public void crash() {
    kafka.kill();
    kafka.restart();
  }

  @Override
  public void close() {
    kafka.close();
  }
}
