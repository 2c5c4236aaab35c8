package dev.postcommit.crash;

import static org.awaitility.Awaitility.await;

import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.testkit.ledger.Deliveries;
import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.process.Processes;
import dev.postcommit.testkit.pubsub.PubSubDeliveries;
import dev.postcommit.testkit.pubsub.PubSubProxy;
import dev.postcommit.testkit.pubsub.PubSubServer;
import java.time.Duration;

/**
 * A Pub/Sub behind a proxy that breaks all connections and takes no new ones for a while. Google's
 * own does not lose what it has acknowledged, so what it has is kept.
 */
final class CrashPubSub implements CrashBroker {
  private static final String SUBSCRIPTION = "crash-reader";
  private static final Duration OUTAGE = Duration.ofSeconds(2);

  private final PubSubServer pubsub = PubSubServer.start();
  private final PubSubProxy proxy = PubSubProxy.before(pubsub);

  CrashPubSub() {
    pubsub.createTopic(CrashScene.TOPIC);
    pubsub.createSubscription(SUBSCRIPTION, CrashScene.TOPIC);
  }

  @Override
  public Duration lease() {
    return Duration.ofSeconds(8);
  }

  @Override
  public void connect(Processes.Builder relay) {
    relay
        .environment(PubSubConnection.EMULATOR_HOST, proxy.emulatorHost())
        .arguments("--broker", "pubsub", "--pubsub-project", pubsub.project())
        .arguments("--pubsub-delivery-timeout", "4500ms");
  }

  @Override
  public Deliveries deliveries(Ledger ledger) {
    return new PubSubDeliveries(pubsub, SUBSCRIPTION, ledger);
  }

  @Override
  public void crash() {
    proxy.stop();
    await().pollDelay(OUTAGE).until(() -> true);
    proxy.restart();
  }

  @Override
  public void close() {
    proxy.close();
    pubsub.close();
  }
}
