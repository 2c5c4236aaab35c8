package dev.postcommit.pubsub.consumer;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.spi.BrokerConsumer;
import dev.postcommit.consumer.spi.WorkerSettings;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.pubsub.internal.ChannelReconnects;
import dev.postcommit.pubsub.internal.PubSubNames;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Feeds an {@link EventConsumer} from a subscription of Google Pub/Sub. Safe for use by many
 * threads.
 *
 * <pre>{@code
 * PubSubEventConsumer consumer =
 *     PubSubEventConsumer.builder(inventory, PubSubConnection.of("my-project"))
 *         .subscription("inventory-orders")
 *         .threads(4)
 *         .build();
 * consumer.start();
 * }</pre>
 *
 * <h2>Guarantees</h2>
 *
 * <ul>
 *   <li>No message is lost: it is acknowledged only when it is handled or in a dead-letter topic.
 *   <li>Messages of one ordering key are handled one after the other, in the order in which they
 *       were published. One that is to be retried holds back its key and no other.
 *   <li>A slow handler, or a message that waits for its next attempt, costs nothing but time: its
 *       deadline is extended for up to seven days. Waiting messages are bounded to 64 MiB and
 *       {@link Builder#maxOutstanding}; when all of these belong to keys that are retried, other
 *       keys wait too.
 *   <li>A message that the event consumer gives up is sent to its dead-letter topic, with its
 *       original ordering key and attributes, and acknowledged only then. A topic that does not
 *       exist is created, and so is a subscription if it has none, because without one it would
 *       lose the dead letter. As long as that fails, or Pub/Sub does not take the dead letter, its
 *       key waits.
 * </ul>
 *
 * <p>Messages arrive at least once; the event consumer's inbox ensures that they take effect once.
 *
 * <h2>How the order is kept</h2>
 *
 * <p>Pub/Sub delivers the messages of a key to one stream at a time, in order. A message that was
 * not acknowledged comes again together with all that follow it. Let a, b and c be messages of one
 * key.
 *
 * <ul>
 *   <li><b>a is to be retried.</b> It stays with its worker, and b and c behind it. It is not given
 *       back: Pub/Sub would send all three again, as often as a is retried.
 *   <li><b>The consumer is closed while a is being handled, and b and c wait.</b> The handler
 *       finishes and a is acknowledged; then the stream is ended; then b and c are given back, in
 *       this order. If they were given back at once, another process could handle b before a.
 *   <li><b>The process is frozen or cut off for longer than the ack deadline.</b> Pub/Sub gives a,
 *       b and c again, here or to another process. Here the copies go to the same worker and queue
 *       behind: a, b, c, a', b', c'. There a' may be handled at the same time as a: the inbox makes
 *       one of them wait, and b' comes after a'. The second finds a duplicate.
 *   <li><b>An outage cuts the stream.</b> The workers go on with their messages, and acknowledge
 *       them when Pub/Sub is back. Messages that were not acknowledged in time come again, as
 *       above.
 *   <li><b>The subscriber fails for good</b>, because its permission is revoked. Waiting messages
 *       are forgotten, handlers finish, and a new subscriber gets the messages again, for the same
 *       workers.
 * </ul>
 */
public final class PubSubEventConsumer extends BrokerConsumer {
  private static final Duration LONGEST_RECONNECT = Duration.ofSeconds(2);

  private PubSubEventConsumer(
      EventConsumer consumer, PubSubConnection connection, SubscriptionPlan plan) {
    super(
        loop(consumer, connection, plan),
        "%s of %s, %s, with %d threads"
            .formatted(
                plan.subscription(),
                connection,
                plan.ordered() ? "in order by key" : "in no order",
                plan.workers().threads()));
  }

  private static SubscriptionLoop loop(
      EventConsumer consumer, PubSubConnection connection, SubscriptionPlan plan) {
    String name = "postcommit-" + PubSubNames.id(plan.subscription());
    ChannelReconnects reconnects = new ChannelReconnects(name + "-reconnect", LONGEST_RECONNECT);
    MessageDispatcher workers =
        new MessageDispatcher(
            name, plan.workers(), consumer, new PubSubDeadLetterSender(connection, reconnects));
    return new SubscriptionLoop(
        name,
        plan,
        new SubscriptionLookup(connection, plan, reconnects),
        topic -> new SubscriptionSession(connection, plan, topic, workers, reconnects, name),
        workers,
        reconnects);
  }

  /** Starts a consumer's settings. */
  public static Builder builder(EventConsumer consumer, PubSubConnection connection) {
    return new Builder(consumer, connection);
  }

  /** Collects a consumer's settings. */
  public static final class Builder {
    private final EventConsumer consumer;
    private final PubSubConnection connection;
    private @Nullable String subscription;
    private @Nullable String topic;
    private boolean ordered = true;
    private int threads = 1;
    private int batchSize = 500;
    private int maxOutstanding = 4_000;
    private Duration ackDeadline = Duration.ofSeconds(30);
    private Duration closeTimeout = Duration.ofSeconds(30);

    private Builder(EventConsumer consumer, PubSubConnection connection) {
      this.consumer = consumer;
      this.connection = connection;
    }

    /**
     * Sets the subscription to read, by its id or its full name, {@code
     * projects/…/subscriptions/…}. Required.
     */
    public Builder subscription(String value) {
      subscription = value;
      return this;
    }

    /**
     * Sets the topic that the subscription is of, by its id or its full name. Default: Pub/Sub is
     * asked, which needs the permission {@code pubsub.subscriptions.get}, as in {@code
     * roles/pubsub.viewer}.
     */
    public Builder topic(String value) {
      topic = value;
      return this;
    }

    /**
     * Sets whether messages of one ordering key are handled one after the other. If so the
     * subscription must keep the order of keys too, which is checked. Default: true.
     */
    public Builder ordered(boolean value) {
      ordered = value;
      return this;
    }

    /** Sets how many threads handle messages. Default: 1. */
    public Builder threads(int value) {
      threads = value;
      return this;
    }

    /** Sets the most messages that are given to the event consumer at once. Default: 500. */
    public Builder batchSize(int value) {
      batchSize = value;
      return this;
    }

    /** Sets the most messages that are pulled and not done. Default: 4,000. */
    public Builder maxOutstanding(int value) {
      maxOutstanding = value;
      return this;
    }

    /**
     * Sets how long Pub/Sub waits for a sign of life before it delivers messages to others: the
     * delay for messages of a process that crashed. It replaces the subscription's own deadline.
     * From 10 s to 10 min; default: 30 s.
     */
    public Builder ackDeadline(Duration value) {
      ackDeadline = value;
      return this;
    }

    /** Sets how long handlers may take to finish when the consumer is closed. Default: 30 s. */
    public Builder closeTimeout(Duration value) {
      closeTimeout = value;
      return this;
    }

    /**
     * The consumer, not connected.
     *
     * @throws IllegalArgumentException if a setting is invalid or missing, with its name and value
     */
    public PubSubEventConsumer build() {
      if (subscription == null) {
        throw new IllegalArgumentException("no subscription: name the one to read");
      }
      SubscriptionPlan plan =
          new SubscriptionPlan(
              PubSubNames.check("subscription", connection.subscription(subscription)),
              topic == null ? null : PubSubNames.check("topic", connection.topic(topic)),
              ordered,
              new WorkerSettings(threads, batchSize, closeTimeout),
              maxOutstanding,
              ackDeadline);
      return new PubSubEventConsumer(consumer, connection, plan);
    }
  }
}
