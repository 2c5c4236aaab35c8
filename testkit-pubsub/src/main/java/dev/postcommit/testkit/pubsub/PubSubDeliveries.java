package dev.postcommit.testkit.pubsub;

import com.google.pubsub.v1.PubsubMessage;
import dev.postcommit.testkit.ledger.Deliveries;
import dev.postcommit.testkit.ledger.Ledger;
import java.time.Duration;
import java.util.List;

/**
 * Reads a Pub/Sub subscription and tells a {@link Ledger} what arrives, by the attribute {@code
 * event_id}. To be run by a thread of its own, as the only reader of the subscription, which must
 * be there before the first message is sent and keep order.
 */
public final class PubSubDeliveries extends Deliveries {
  private static final Duration QUIET = Duration.ofMillis(500);

  private final PubSubServer server;
  private final String subscription;

  /** Will read {@code subscription} once it is run. */
  public PubSubDeliveries(PubSubServer server, String subscription, Ledger ledger) {
    super(ledger);
    this.server = server;
    this.subscription = subscription;
  }

  /**
   * Reads until {@link #finish} is called and the subscription has had nothing for half a second.
   * It has no end that one could ask for, but its only reader gets at once what is there.
   */
  @Override
  public Void call() {
    try (PubSubPoller poller = new PubSubPoller(server, subscription)) {
      while (moreMayCome()) {
        read(poller);
      }
      long quietSince = System.nanoTime();
      while (System.nanoTime() - quietSince < QUIET.toNanos()) {
        if (read(poller)) {
          quietSince = System.nanoTime();
        }
      }
      return null;
    }
  }

  private boolean read(PubSubPoller poller) {
    List<PubsubMessage> batch = poller.poll();
    for (PubsubMessage message : batch) {
      String key = message.getOrderingKey();
      arrived(
          message.getAttributesOrDefault("event_id", "message " + message.getMessageId()),
          key.isEmpty() ? null : key);
    }
    return !batch.isEmpty();
  }
}
