package dev.postcommit.demo.servers;

import dev.postcommit.demo.orders.Order;
import dev.postcommit.server.settings.BrokerSettings.BrokerName;
import dev.postcommit.testkit.ledger.Deliveries;
import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.process.Processes;
import java.util.List;

/** The broker of a demo. */
public interface DemoBroker extends AutoCloseable {

  /** Starts one. */
  static DemoBroker start(BrokerName name) {
    return switch (name) {
      case KAFKA -> new DemoKafka();
      case PUBSUB -> new DemoPubSub();
    };
  }

  /** What this broker does not take; others might. */
  static List<Order.Poison> poisons(BrokerName name) {
    return switch (name) {
      case KAFKA -> List.of(Order.Poison.INVALID_TOPIC, Order.Poison.TOO_LARGE);
      case PUBSUB -> List.of(Order.Poison.INVALID_TOPIC);
    };
  }

  /** Names the broker and where it is. */
  String name();

  /** Makes the topic. */
  void createTopic();

  /** What will tell the ledger of the messages in the topic. */
  Deliveries deliveries(Ledger ledger);

  /**
   * Has a relay deliver here, with a lease as short as can be, so that the events of a killed relay
   * do not wait for long.
   */
  void connect(Processes.Builder relay);

  /** The command that starts a relay which delivers here, with flags of the table to follow. */
  String relayCommand();

  @Override
  void close();
}
