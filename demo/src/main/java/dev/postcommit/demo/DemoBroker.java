package dev.postcommit.demo;

import dev.postcommit.settings.BrokerSettings.BrokerName;
import dev.postcommit.testkit.Deliveries;
import dev.postcommit.testkit.Ledger;
import dev.postcommit.testkit.Processes;
import java.util.List;

/** The broker of a demo. */
interface DemoBroker extends AutoCloseable {

  /** The topic of all events that are not poisonous. */
  String TOPIC = "orders";

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
