package dev.postcommit.demo.servers;

import dev.postcommit.demo.orders.Order;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.testkit.ledger.Deliveries;
import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.process.Processes;
import dev.postcommit.testkit.pubsub.PubSubDeliveries;
import dev.postcommit.testkit.pubsub.PubSubServer;

/** A Pub/Sub server in this process, or the one that {@code PUBSUB_EMULATOR_HOST} names. */
final class DemoPubSub implements DemoBroker {

  private static final String SUBSCRIPTION = "demo";

  private final PubSubServer pubsub = PubSubServer.start();

  @Override
  public String name() {
    return "Pub/Sub (" + pubsub.emulatorHost() + ", project " + pubsub.project() + ")";
  }

  @Override
  public void createTopic() {
    pubsub.createTopic(Order.TOPIC);
    pubsub.createSubscription(SUBSCRIPTION, Order.TOPIC);
  }

  @Override
  public Deliveries deliveries(Ledger ledger) {
    return new PubSubDeliveries(pubsub, SUBSCRIPTION, ledger);
  }

  @Override
  public void connect(Processes.Builder relay) {
    relay
        .environment(PubSubConnection.EMULATOR_HOST, pubsub.emulatorHost())
        .arguments("--broker", "pubsub", "--pubsub-project", pubsub.project())
        .arguments("--lease", "8s", "--pubsub-delivery-timeout", "4s");
  }

  @Override
  public String relayCommand() {
    return "%s=%s ./postcommit relay --broker pubsub --pubsub-project %s"
        .formatted(PubSubConnection.EMULATOR_HOST, pubsub.emulatorHost(), pubsub.project());
  }

  @Override
  public void close() {
    pubsub.close();
  }
}
