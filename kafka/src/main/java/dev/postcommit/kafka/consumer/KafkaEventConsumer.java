package dev.postcommit.kafka.consumer;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.spi.BrokerConsumer;
import dev.postcommit.consumer.spi.WorkerSettings;
import dev.postcommit.kafka.internal.ListenerProbe;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;

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
 * <h2>Guarantees</h2>
 *
 * <ul>
 *   <li>No message is skipped: the committed offset is that of the first message that is neither
 *       handled nor in a dead-letter topic.
 *   <li>Messages with the same ordering key, as {@link ConsumerOrder} chooses it, are handled in
 *       the order of their offsets. One that is to be retried holds back its ordering key and no
 *       other.
 *   <li>A slow handler does not cost the membership: polling does not wait for handlers. Waiting
 *       messages are bounded to 64 MiB and a few thousand per partition.
 *   <li>A message that the event consumer gives up is sent to its dead-letter topic, with its
 *       original key and headers, and acknowledged only then. A topic that does not exist is
 *       created; as long as that fails, or Kafka does not take the dead letter, the ordering key
 *       waits.
 * </ul>
 *
 * <p>Messages arrive at least once; the event consumer's inbox ensures that they take effect once.
 * Two processes may even handle a message at the same time, when a partition moves and its handler
 * does not finish within half of {@code max.poll.interval.ms} (at most 30 s), or when a process has
 * lost its connection to Kafka.
 */
public final class KafkaEventConsumer extends BrokerConsumer {
  private static final int FEWEST_RECORDS = 1_000;

  private KafkaEventConsumer(EventConsumer consumer, ConsumerPlan plan, ConsumerSettings settings) {
    super(
        loop(consumer, plan, settings),
        "%s as group %s, in order by %s, with %d threads"
            .formatted(plan.topics(), settings.group(), plan.order(), plan.workers().threads()));
  }

  private static PollLoop loop(
      EventConsumer consumer, ConsumerPlan plan, ConsumerSettings settings) {
    Duration patience = settings.patience();
    long wanted = Math.min(4L * plan.workers().batchSize(), 1_000_000);
    int mostRecords = (int) Math.max(FEWEST_RECORDS, wanted);
    String name = "postcommit-" + settings.group();
    RecordDispatcher workers =
        new RecordDispatcher(
            name, plan.workers(), plan.order(), consumer, new KafkaDeadLetterSender(settings));
    return new PollLoop(
        name,
        () -> {
          KafkaConsumer<byte[], byte[]> client = new KafkaConsumer<>(settings.consumer());
          AnswerWatch answers =
              new AnswerWatch(client, new ListenerProbe(settings.consumer()), settings);
          ConsumerSession session =
              new ConsumerSession(client, workers, mostRecords, patience, answers);
          client.subscribe(plan.topics(), session);
          return session;
        },
        workers,
        patience);
  }

  /** Starts a consumer's settings. */
  public static Builder builder(EventConsumer consumer) {
    return new Builder(consumer);
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
     * CooperativeStickyAssignor}. Properties on which the guarantees rest are fixed: {@code
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
      WorkerSettings workers = new WorkerSettings(threads, batchSize, closeTimeout);
      ConsumerPlan plan = new ConsumerPlan(topics, order, workers);
      return new KafkaEventConsumer(consumer, plan, ConsumerSettings.of(group, properties));
    }
  }
}
