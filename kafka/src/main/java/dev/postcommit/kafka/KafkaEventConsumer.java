package dev.postcommit.kafka;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.internal.Housekeeping;
import dev.postcommit.consumer.internal.Lane;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds an {@link EventConsumer} from Kafka. Safe for use by many threads.
 *
 * <pre>{@code
 * KafkaEventConsumer consumer =
 *     KafkaEventConsumer.builder(inventory)
 *         .bootstrapServers("localhost:9092")
 *         .topics("order.placed", "order.cancelled")
 *         .threads(4)
 *         .order(ConsumerOrder.KEY)
 *         .build();
 * consumer.start();
 * }</pre>
 *
 * <h2>What is promised</h2>
 *
 * <ul>
 *   <li>No message is skipped: the offset that is committed is that of the first message that is
 *       neither handled nor in a dead-letter topic.
 *   <li>Messages of one {@link ConsumerOrder} are handled in the order of their offsets. One that
 *       is to be retried holds back those of its order and no others.
 *   <li>A slow handler costs no membership: polling does not wait for handlers. What is fetched and
 *       waits is bounded, to 64 MiB and a few thousand messages per partition.
 *   <li>A message that the event consumer gives up is sent to its dead-letter topic, with its key
 *       and headers as they were, and is acknowledged only then. A topic that does not exist is
 *       created; while it cannot be, or Kafka does not take the letter, its order waits.
 * </ul>
 *
 * <p>Messages come at least once; that they have their effect once is for the event consumer's
 * inbox to see to. A message may even be handled at the same time by two processes, when a
 * partition moves from one to the other and its handler does not finish within half of {@code
 * max.poll.interval.ms} (at most 30 s), or when a process has lost touch with Kafka.
 */
public final class KafkaEventConsumer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(KafkaEventConsumer.class);

  private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(30);
  private static final int FEWEST_SLOTS = 1_000;
  private static final Duration FIRST_HOUSEKEEPING = Duration.ofMinutes(5);
  private static final Duration HOUSEKEEPING = Duration.ofMinutes(50);

  private final EventConsumer consumer;
  private final ConsumerPlan plan;
  private final ConsumerSettings settings;
  private final LetterSender letters;
  private final Lanes lanes;
  private final PollLoop loop;
  private final Thread poller;
  private final Housekeeping housekeeping;
  private State state = State.NEW;

  private enum State {
    NEW,
    STARTED,
    CLOSED
  }

  private KafkaEventConsumer(EventConsumer consumer, ConsumerPlan plan, ConsumerSettings settings) {
    this.consumer = consumer;
    this.plan = plan;
    this.settings = settings;
    this.letters = new LetterSender(settings);
    String name = "postcommit-" + settings.group();
    this.lanes =
        new Lanes(
            plan.threads(),
            plan.order(),
            i -> new Lane<>(name + "-" + (i + 1), consumer, letters, plan.batchSize()));
    this.loop = new PollLoop(this::open, lanes, plan.closeTimeout(), patience());
    this.poller = new Thread(loop, name + "-poll");
    this.poller.setDaemon(true);
    this.housekeeping = new Housekeeping(consumer, FIRST_HOUSEKEEPING, HOUSEKEEPING);
  }

  private Duration patience() {
    Duration half = settings.maxPollInterval().dividedBy(2);
    return half.compareTo(LONGEST_PATIENCE) < 0 ? half : LONGEST_PATIENCE;
  }

  private ConsumerSession open() {
    KafkaConsumer<byte[], byte[]> client = new KafkaConsumer<>(settings.consumer());
    int mostSlots = (int) Math.max(FEWEST_SLOTS, Math.min(4L * plan.batchSize(), 1_000_000));
    ConsumerSession session = new ConsumerSession(client, lanes, mostSlots, patience());
    client.subscribe(plan.topics(), session);
    return session;
  }

  /** Starts a consumer's settings. */
  public static Builder builder(EventConsumer consumer) {
    return new Builder(consumer);
  }

  /**
   * Starts reading. Kafka need not be there yet; the consumer waits for it.
   *
   * @throws IllegalStateException if it was started or closed before
   */
  public synchronized void start() {
    if (state != State.NEW) {
      throw new IllegalStateException(
          "the consumer of group %s was started or closed before; build another"
              .formatted(settings.group()));
    }
    state = State.STARTED;
    log.info(
        "{} reads {} as group {}, in order by {}, with {} threads",
        consumer.name(),
        plan.topics(),
        settings.group(),
        plan.order(),
        plan.threads());
    housekeeping.start();
    lanes.start();
    poller.start();
  }

  /** Whether it was started and not closed, and none of its threads has ended by an error. */
  public synchronized boolean running() {
    return state == State.STARTED && !lanes.haveFailed();
  }

  /**
   * Why it cannot read from Kafka or cannot send a dead letter, if that is so; or that it does not
   * get on for an error, or one of its threads has ended by one: then it is to be closed.
   */
  public Optional<String> problem() {
    return loop.problem().or(letters::problem).or(lanes::problem);
  }

  /** How many messages were fetched and are not done: they wait, or are being handled. */
  public int pending() {
    return loop.undone();
  }

  /**
   * Stops: begins nothing more, waits for what is being handled up to the close timeout and
   * interrupts it then, commits what is done, and leaves the group. What was fetched and not begun
   * is for the next who reads. A few seconds more may pass if Kafka does not answer.
   */
  @Override
  public void close() {
    boolean started;
    synchronized (this) {
      started = state == State.STARTED;
      state = State.CLOSED;
    }
    loop.stop();
    if (started || poller.isAlive()) {
      awaitEnd();
    }
    if (started) {
      log.info("{} has stopped reading as group {}", consumer.name(), settings.group());
    }
  }

  private void awaitEnd() {
    try {
      poller.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      log.warn("closing the consumer of group {} was interrupted", settings.group());
    }
    housekeeping.close();
    letters.close();
  }

  /** Collects a consumer's settings. */
  public static final class Builder {
    private final EventConsumer consumer;
    private final Map<String, Object> properties = new HashMap<>();
    private List<String> topics = List.of();
    private String group;
    private int threads = 1;
    private ConsumerOrder order = ConsumerOrder.PARTITION;
    private int batchSize = 500;
    private Duration closeTimeout = Duration.ofSeconds(30);

    private Builder(EventConsumer consumer) {
      this.consumer = consumer;
      this.group = consumer.name();
    }

    /** Sets the brokers to start from, as {@code host:port}, separated by commas. Required. */
    public Builder bootstrapServers(String value) {
      return property(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, value);
    }

    /** Sets the topics to read. Required. */
    public Builder topics(String... values) {
      return topics(Arrays.asList(values));
    }

    /** Sets the topics to read. Required. */
    public Builder topics(List<String> values) {
      topics = List.copyOf(values);
      return this;
    }

    /**
     * Sets the consumer group, whose members share the partitions. Default: the name of the event
     * consumer.
     */
    public Builder group(String value) {
      group = value;
      return this;
    }

    /** Sets how many threads handle messages. Default: 1. */
    public Builder threads(int value) {
      threads = value;
      return this;
    }

    /** Sets which messages are handled one after the other. Default: those of a partition. */
    public Builder order(ConsumerOrder value) {
      order = value;
      return this;
    }

    /** Sets the most messages that are given to the event consumer at once. Default: 500. */
    public Builder batchSize(int value) {
      batchSize = value;
      return this;
    }

    /** Sets how long handlers may take to finish when the consumer is closed. Default: 30 s. */
    public Builder closeTimeout(Duration value) {
      closeTimeout = value;
      return this;
    }

    /**
     * Sets a property of Kafka's consumer, such as those of its security; those that a producer and
     * an admin client have too are used for dead letters as well. Defaults that differ from
     * Kafka's: {@code auto.offset.reset} earliest, {@code partition.assignment.strategy} {@code
     * CooperativeStickyAssignor}. Those on which the consumer's promises rest are fixed: {@code
     * enable.auto.commit}, the deserializers.
     */
    public Builder property(String name, Object value) {
      properties.put(name, value);
      return this;
    }

    /** Sets properties of Kafka's consumer; see {@link #property}. */
    public Builder properties(Map<String, ?> values) {
      properties.putAll(values);
      return this;
    }

    /**
     * The consumer, not connected.
     *
     * @throws IllegalArgumentException if a setting is invalid or missing, with its name and value
     */
    public KafkaEventConsumer build() {
      ConsumerPlan plan = new ConsumerPlan(topics, threads, order, batchSize, closeTimeout);
      return new KafkaEventConsumer(consumer, plan, ConsumerSettings.of(group, properties));
    }
  }
}
