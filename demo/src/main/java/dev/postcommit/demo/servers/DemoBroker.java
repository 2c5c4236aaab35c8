package dev.postcommit.demo.servers;

import dev.postcommit.demo.orders.Order;
import dev.postcommit.settings.BrokerSettings.BrokerName;
import dev.postcommit.testkit.ledger.Deliveries;
import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.process.Processes;
import java.util.List;

/** The broker of a demo. */
public interface DemoBroker extends AutoCloseable {

  /** Starts a broker. */
  static DemoBroker start(BrokerName name) {
    return switch (name) {
      case KAFKA -> new DemoKafka();
      case PUBSUB -> new DemoPubSub();
    };
  }

  /** Returns the kinds of events that this broker rejects. */
  static List<Order.Poison> poisons(BrokerName name) {
    return switch (name) {
      case KAFKA -> List.of(Order.Poison.INVALID_TOPIC, Order.Poison.TOO_LARGE);
      case PUBSUB -> List.of(Order.Poison.INVALID_TOPIC);
    };
  }

  /** Returns the name and address of the broker. */
  String name();

  /** Creates the topic. */
  void createTopic();

  /** Returns a reader that records the messages of the topic in the ledger. */
  Deliveries deliveries(Ledger ledger);

  /**
   * Connects a relay to this broker, with the shortest possible lease, so that the events of a
   * killed relay do not wait long.
   */
  void connect(Processes.Builder relay);

  /** Returns the command for a relay that delivers here; flags for the table follow it. */
  String relayCommand();

  @Override
  void close();
}
