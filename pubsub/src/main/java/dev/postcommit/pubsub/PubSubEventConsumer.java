package dev.postcommit.pubsub;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.internal.Housekeeping;
import dev.postcommit.consumer.internal.Lane;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
 * <h2>What is promised</h2>
 *
 * <ul>
 *   <li>No message is lost: it is acknowledged only when it is handled or in a dead-letter topic.
 *   <li>Messages of one ordering key are handled one after the other, in the order in which they
 *       were published. One that is to be retried holds back those of its key and no others.
 *   <li>A slow handler, or a message that waits for its next attempt, costs nothing but time:
 *       Pub/Sub is asked again and again to wait, for up to seven days. What is pulled and waits is
 *       bounded, to 64 MiB and {@link Builder#maxOutstanding}; when that is full of keys that are
 *       retried, others come to wait too.
 *   <li>A message that the event consumer gives up is sent to its dead-letter topic, with its
 *       ordering key and attributes as they were, and is acknowledged only then. A topic that does
 *       not exist is created, and so is a subscription if it has none, for without one it would
 *       forget the letter; while that cannot be, or Pub/Sub does not take the letter, its key
 *       waits.
 * </ul>
 *
 * <p>Messages come at least once; that they have their effect once is for the event consumer's
 * inbox to see to.
 *
 * <h2>How the order is kept</h2>
 *
 * <p>Pub/Sub gives the messages of a key to one stream at a time, in order, and gives one that was
 * not acknowledged again with all that follow it. Let a, b and c be messages of one key.
 *
 * <ul>
 *   <li><b>a is to be retried.</b> It stays in its lane with b and c behind it, and is not given
 *       back: Pub/Sub would send all three again, as often as it is retried.
 *   <li><b>The consumer is closed while a is being handled, and b and c wait.</b> The handler
 *       finishes and a is acknowledged; then the stream is ended; then b and c are given back, in
 *       this order. Were they given back at once, another process could handle b before a.
 *   <li><b>The process is frozen or cut off for longer than the ack deadline.</b> Pub/Sub gives a,
 *       b and c again, here or to another process. Here the copies go to the same lane and queue
 *       behind: a, b, c, a', b', c'. There a' may be handled while a is: the inbox lets one of them
 *       wait, and b' comes after a'. Whoever is second finds a duplicate.
 *   <li><b>An outage cuts the stream.</b> The lanes go on with what they have, and acknowledge what
 *       is done when Pub/Sub is back; what was not acknowledged in time comes again, as above.
 *   <li><b>The subscriber fails for good</b>, as its permission is revoked. What waits is
 *       forgotten, what is being handled is finished, and a new subscriber gets the messages again,
 *       into the same lanes.
 * </ul>
 */
public final class PubSubEventConsumer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PubSubEventConsumer.class);

  private static final Duration LONGEST_RECONNECT = Duration.ofSeconds(2);
  private static final Duration FIRST_HOUSEKEEPING = Duration.ofMinutes(5);
  private static final Duration HOUSEKEEPING = Duration.ofMinutes(50);

  private final EventConsumer consumer;
  private final SubscriptionPlan plan;
  private final PubSubConnection connection;
  private final Reconnects reconnects;
  private final PubSubLetterSender letters;
  private final PulledLanes lanes;
  private final SubscriptionLoop loop;
  private final Thread puller;
  private final Housekeeping housekeeping;
  private State state = State.NEW;

  private enum State {
    NEW,
    STARTED,
    CLOSED
  }

  private PubSubEventConsumer(
      EventConsumer consumer, PubSubConnection connection, SubscriptionPlan plan) {
    this.consumer = consumer;
    this.connection = connection;
    this.plan = plan;
    String name = "postcommit-" + PubSubNames.id(plan.subscription());
    this.reconnects = new Reconnects(name + "-reconnect", LONGEST_RECONNECT);
    this.letters = new PubSubLetterSender(connection, reconnects);
    this.lanes =
        new PulledLanes(
            plan.threads(),
            i -> new Lane<>(name + "-" + (i + 1), consumer, letters, plan.batchSize()));
    this.loop =
        new SubscriptionLoop(
            plan,
            new SubscriptionLookup(connection, plan, reconnects),
            topic -> new SubscriptionSession(connection, plan, topic, lanes, reconnects, name),
            lanes,
            this::ended);
    this.puller = new Thread(loop, name + "-pull");
    this.puller.setDaemon(true);
    this.housekeeping = new Housekeeping(consumer, FIRST_HOUSEKEEPING, HOUSEKEEPING);
  }

  private void ended() {
    release();
    log.info("{} has stopped reading {}", consumer.name(), plan.subscription());
  }

  private void release() {
    housekeeping.close();
    letters.close();
    reconnects.close();
  }

  /** Starts a consumer's settings. */
  public static Builder builder(EventConsumer consumer, PubSubConnection connection) {
    return new Builder(consumer, connection);
  }

  /**
   * Starts reading. Neither Pub/Sub nor the subscription need be there yet; the consumer waits for
   * them.
   *
   * @throws IllegalStateException if it was started or closed before
   */
  public synchronized void start() {
    if (state != State.NEW) {
      throw new IllegalStateException(
          "the consumer of %s was started or closed before; build another"
              .formatted(plan.subscription()));
    }
    state = State.STARTED;
    log.info(
        "{} reads {} of {}, {}, with {} threads",
        consumer.name(),
        plan.subscription(),
        connection,
        plan.ordered() ? "in order by key" : "in no order",
        plan.threads());
    housekeeping.start();
    lanes.start();
    puller.start();
  }

  /** Whether it was started and not closed, and none of its threads has ended by an error. */
  public synchronized boolean running() {
    return state == State.STARTED && !lanes.haveFailed();
  }

  /**
   * Why it cannot read from Pub/Sub or cannot send a dead letter, if that is so; or that it does
   * not get on for an error, or one of its threads has ended by one: then it is to be closed.
   */
  public Optional<String> problem() {
    return loop.problem().or(letters::problem).or(lanes::problem);
  }

  /** How many messages were pulled and are not done: they wait, or are being handled. */
  public int pending() {
    return loop.undone();
  }

  /**
   * Stops: begins nothing more, waits for what is being handled up to the close timeout and
   * interrupts it then, acknowledges what is done, and gives back what is not, for others to get it
   * at once. A few seconds more may pass if Pub/Sub does not answer. A handler that calls this does
   * not wait for itself: the consumer stops after it.
   */
  @Override
  public void close() {
    boolean started;
    synchronized (this) {
      started = state == State.STARTED;
      state = State.CLOSED;
    }
    loop.stop();
    if (!started && !puller.isAlive()) {
      release();
      return;
    }
    if (!lanes.areCalling()) {
      awaitEnd();
    }
  }

  private void awaitEnd() {
    try {
      puller.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      log.warn("closing the consumer of {} was interrupted", plan.subscription());
    }
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
     * asked, for which the permission {@code pubsub.subscriptions.get} is needed, as in {@code
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
     * Sets how long Pub/Sub waits for a sign of life before it gives messages to others: the time
     * that those of a process that crashed have to wait. Takes the place of the subscription's own.
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
              threads,
              batchSize,
              maxOutstanding,
              ackDeadline,
              closeTimeout);
      return new PubSubEventConsumer(consumer, connection, plan);
    }
  }
}
