package dev.postcommit.kafka;

import dev.postcommit.kafka.internal.ClientErrors;
import dev.postcommit.kafka.internal.KafkaSettings;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.TransactionalPublisher;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Publishes messages to Kafka. Safe for use by many threads.
 *
 * <p>A message's key is the record's key in UTF-8, its body the value, its headers the headers in
 * UTF-8. Messages are acknowledged by all replicas in sync. Nothing connects before the first use.
 *
 * <h2>Order</h2>
 *
 * <p>Messages of one topic and key may be handed over without waiting for each other. That they
 * arrive in order, and none after one that failed, depends on three things:
 *
 * <ul>
 *   <li>An idempotent producer writes the messages of a partition in the order it was given them,
 *       whatever it has to send again.
 *   <li>It has one request in flight per broker. With more, a broker that does not know the
 *       producer yet accepts its second batch even if it refused the first. With one, the batch in
 *       flight is the earliest of its partition that has not ended. So it cannot overtake anything,
 *       even if it is written after the producer has given it up.
 *   <li>After a failure a producer would go on with the next batch. So the first message that
 *       fails, unless Kafka refuses it for good, ends the producer: see {@link ProducerSession}.
 *       Messages that the producer still held, and those handed over from then on, end {@link
 *       Delivery.Unavailable}, until {@link #problem} has replaced the producer. So a sender that
 *       has not noticed the failure cannot send a later message of the same key through the next
 *       producer, as long as {@code problem} is not called while messages are handed over.
 * </ul>
 *
 * <p>Between messages of one key to different topics there is no order.
 *
 * <h2>Topics</h2>
 *
 * <p>Messages to a topic that is missing, or that may not be written to, end {@link
 * Delivery.TopicUnavailable} before they reach the producer, so other topics keep theirs. The
 * cluster is asked for such a topic once a second at most. If a topic is deleted or forbidden while
 * it is in use, that ends one producer, and a sender to it may wait once for {@code max.block.ms}.
 */
public final class KafkaPublisher implements Publisher {
  /** The shortest life of a producer, so that one that fails at once is not replaced in a loop. */
  private static final Duration SHORTEST_SESSION = Duration.ofSeconds(1);

  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);

  private final KafkaSettings settings;
  private final PublisherThreads threads;
  private final Cluster cluster;
  private volatile @Nullable ProducerSession session;
  private volatile boolean closed;
  private volatile long openedAt;

  KafkaPublisher(KafkaSettings settings) {
    this.settings = settings;
    this.threads = new PublisherThreads(settings.clientId());
    this.cluster = new Cluster(settings.admin(), KafkaSettings.ANSWER_TIMEOUT, threads.answers());
  }

  /** Starts a publisher's settings. */
  public static Builder builder() {
    return new Builder();
  }

  /** The cluster it publishes to. */
  Cluster cluster() {
    return cluster;
  }

  @Override
  public CompletionStage<Delivery> send(Message message) {
    @Nullable ProducerSession current = session;
    try {
      if (current == null) {
        current = open();
      }
    } catch (KafkaException e) {
      return CompletableFuture.completedFuture(new Delivery.Unavailable(noProducer(e), e));
    }
    return current.send(message);
  }

  /** The session to use, which is a new one if there was none or the last is over. */
  private synchronized ProducerSession open() {
    @Nullable ProducerSession last = session;
    if (last != null && !last.isDrained()) {
      return last;
    }
    if (closed) {
      throw new KafkaException("the publisher is closed");
    }
    ProducerSession next =
        new ProducerSession(new KafkaProducer<>(settings.producer()), settings, cluster, threads);
    openedAt = System.nanoTime();
    session = next;
    return next;
  }

  /**
   * Whether the cluster can be reached and a producer is available. After a failure that ended the
   * producer, this call replaces it; until then messages end unavailable.
   */
  @Override
  public Optional<String> problem() {
    if (closed) {
      return Optional.of("the publisher is closed");
    }
    return cluster.problem().or(this::producerProblem);
  }

  private Optional<String> producerProblem() {
    @Nullable ProducerSession current = session;
    if (current == null || !current.isEnding()) {
      return Optional.empty();
    }
    try {
      return mayBeReplaced(current) && !open().isEnding()
          ? Optional.empty()
          : Optional.of("the last Kafka producer has not ended yet");
    } catch (KafkaException e) {
      return Optional.of(noProducer(e));
    }
  }

  private static String noProducer(KafkaException error) {
    return "no Kafka producer could be made: " + ClientErrors.text(error);
  }

  private boolean mayBeReplaced(ProducerSession last) {
    return last.isDrained() && System.nanoTime() - openedAt > SHORTEST_SESSION.toNanos();
  }

  @Override
  public Duration deliveryTimeout() {
    return settings.longestDelivery();
  }

  @Override
  public OptionalInt maxMessageBytes() {
    return OptionalInt.of(settings.maxRequestSize());
  }

  @Override
  public boolean keepsOrder() {
    return true;
  }

  /** Waits a few seconds at most for messages in flight, then ends the rest as unavailable. */
  @Override
  public void close() {
    @Nullable ProducerSession last;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      last = session;
    }
    if (last != null) {
      Duration patience = Collections.min(List.of(settings.longestDelivery(), LONGEST_CLOSE));
      last.close(patience, "the publisher is closed");
    }
    cluster.close();
    threads.close();
  }

  /** Collects a publisher's settings. */
  public static final class Builder {
    private final Map<String, Object> properties = new HashMap<>();

    private Builder() {}

    /** Sets the brokers to start from, as {@code host:port}, separated by commas. Required. */
    public Builder bootstrapServers(String value) {
      return property(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, value);
    }

    /** Sets the name under which the publisher shows in logs, metrics and quotas. */
    public Builder clientId(String value) {
      return property(ProducerConfig.CLIENT_ID_CONFIG, value);
    }

    /**
     * Sets a property of Kafka's producer, such as those of its security. Defaults that differ from
     * Kafka's: {@code delivery.timeout.ms} 20 s, {@code request.timeout.ms} 8 s or half of the
     * delivery timeout, {@code max.block.ms} 5 s, {@code linger.ms} 0, {@code batch.size} 128 KiB,
     * {@code buffer.memory} 64 MiB. Properties on which the guarantees rest are fixed: {@code
     * enable.idempotence}, {@code acks}, {@code max.in.flight.requests.per.connection}, the
     * serializers.
     */
    public Builder property(String name, Object value) {
      properties.put(name, value);
      return this;
    }

    /** Sets properties of Kafka's producer; see {@link #property}. */
    public Builder properties(Map<String, ?> values) {
      properties.putAll(values);
      return this;
    }

    /**
     * The publisher, not connected.
     *
     * @throws IllegalArgumentException if a property is invalid or not to be set, with its name and
     *     value
     */
    public KafkaPublisher build() {
      return new KafkaPublisher(KafkaSettings.of(properties));
    }

    /**
     * A publisher that delivers each event of a log exactly once to consumers that read only
     * committed messages ({@code isolation.level=read_committed}); not connected.
     *
     * <p>Messages and the relay's checkpoint are one Kafka transaction. The checkpoint is stored in
     * the compacted topic {@value CheckpointTopic#NAME}, which is created if it is missing. All
     * relays of the table have the same transactional id, and no other producer has it: the newest
     * one with this id fences the older ones.
     *
     * <p>Events that leave the log, because they cannot be sent in order or have a due time, are
     * delivered at least once.
     *
     * @param transactionalId unique to the table in the whole cluster; not blank
     * @throws IllegalArgumentException if the id is blank, or a property is invalid or not to be
     *     set, with its name and value
     */
    public TransactionalPublisher buildTransactional(String transactionalId) {
      if (transactionalId.isBlank()) {
        throw new IllegalArgumentException("transactionalId must not be blank");
      }
      return new KafkaTransactions(transactionalId, KafkaSettings.of(properties));
    }
  }
}
