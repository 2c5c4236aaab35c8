package dev.postcommit.testkit;

import com.google.pubsub.v1.PubsubMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reads a Pub/Sub subscription and tells a {@link Ledger} what arrives, by the attribute {@code
 * event_id}. To be run by a thread of its own, as the only reader of the subscription, which must
 * be there before the first message is sent and keep order.
 */
public final class PubSubDeliveries implements Deliveries {
  private static final Duration QUIET = Duration.ofMillis(500);

  private final PubSubServer server;
  private final String subscription;
  private final Ledger ledger;
  private final AtomicInteger messages = new AtomicInteger();
  private volatile boolean noMoreToCome;

  /** Will read {@code subscription} once it is run. */
  public PubSubDeliveries(PubSubServer server, String subscription, Ledger ledger) {
    this.server = server;
    this.subscription = subscription;
    this.ledger = ledger;
  }

  @Override
  public int messages() {
    return messages.get();
  }

  @Override
  public void finish() {
    noMoreToCome = true;
  }

  /**
   * Reads until {@link #finish} is called and the subscription has had nothing for half a second.
   * It has no end that one could ask for, but its only reader gets at once what is there.
   */
  @Override
  public Void call() {
    try (PubSubPoller poller = new PubSubPoller(server, subscription)) {
      while (!noMoreToCome) {
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
      ledger.delivered(
          message.getAttributesOrDefault("event_id", "message " + message.getMessageId()),
          key.isEmpty() ? null : key);
      messages.incrementAndGet();
    }
    return !batch.isEmpty();
  }
}
