package dev.postcommit.kafka;

import dev.postcommit.kafka.internal.DeliveryClassifier;
import dev.postcommit.kafka.internal.DeliveryClassifier.Verdict;
import dev.postcommit.kafka.internal.KafkaSettings;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.support.DurationText;
import dev.postcommit.support.ErrorText;
import dev.postcommit.support.Wrappers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One Kafka producer and what was handed to it.
 *
 * <p>The first message that its producer took and did not deliver <i>fences</i> the session. The
 * producer is closed at once, on its own thread, so that it sends nothing more. All messages that
 * it still holds end unavailable, and so do those handed to the session later. The session is
 * <i>drained</i> when all its messages have ended. Only then may another take its place: a message
 * must not overtake, through a new producer, one of its key that has not ended yet.
 *
 * <p>A producer does not observe its deadlines before it has got its id from the cluster. So a
 * session whose producer has delivered nothing for some time from the start is fenced too. The
 * cluster is then asked what that means for its messages, as if they had timed out.
 */
final class ProducerSession {
  private static final Logger log = LoggerFactory.getLogger(ProducerSession.class);

  private final Producer<byte[], byte[]> producer;
  private final KafkaSettings settings;
  private final TopicLookup lookup;
  private final PublisherThreads threads;
  private final Map<String, TopicQueue> queues = new ConcurrentHashMap<>();
  private final Map<String, CompletionStage<Delivery>> explanations = new ConcurrentHashMap<>();
  private final Set<TopicKey> stopped = ConcurrentHashMap.newKeySet();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicReference<@Nullable String> ending = new AtomicReference<>();
  private final AtomicBoolean fenced = new AtomicBoolean();
  private final AtomicBoolean begun = new AtomicBoolean();
  private final CountDownLatch drained = new CountDownLatch(1);
  private volatile boolean alive;

  /** Whether it is fenced because its producer delivered nothing. */
  private volatile boolean silent;

  ProducerSession(
      Producer<byte[], byte[]> producer,
      KafkaSettings settings,
      TopicLookup lookup,
      PublisherThreads threads) {
    this.producer = producer;
    this.settings = settings;
    this.lookup = lookup;
    this.threads = threads;
  }

  CompletableFuture<Delivery> send(Message message) {
    PendingSend sending = new PendingSend(this, message);
    open.incrementAndGet();
    if (ending.get() != null) {
      sending.end(heldBack());
    } else {
      queue(message.topic()).send(sending);
    }
    return sending.outcome();
  }

  private TopicQueue queue(String topic) {
    @Nullable TopicQueue queue = queues.get(topic);
    return queue != null ? queue : queues.computeIfAbsent(topic, this::newQueue);
  }

  private TopicQueue newQueue(String topic) {
    return new TopicQueue(topic, this, lookup, threads, settings.maxBlock());
  }

  /** Waits until the producer knows a topic, or throws. */
  void learn(String topic) {
    producer.partitionsFor(topic);
  }

  /** Gives a message to the producer; its topic is known. */
  void give(PendingSend sending) {
    if (!begun.get() && begun.compareAndSet(false, true)) {
      threads.later(this::checkAlive, settings.firstAnswerTimeout());
    }
    sending.giveTo(producer);
  }

  /** The producer has delivered a message. */
  void acknowledged() {
    if (!alive) {
      alive = true;
    }
  }

  /**
   * The producer did not take a message. No other message depends on it, so the session goes on.
   */
  void refused(PendingSend sending, Exception error) {
    Verdict verdict = DeliveryClassifier.verdict(error);
    if (verdict == Verdict.UNANSWERED || verdict == Verdict.FORBIDDEN) {
      queue(sending.topic()).forget();
    }
    sending.end(DeliveryClassifier.delivery(sending.topic(), error));
  }

  /** The producer rejected a message by an exception, and may be unusable. */
  void threw(PendingSend sending, RuntimeException error) {
    if (ending.get() != null) {
      sending.end(heldBack());
      return;
    }
    boolean interrupted = error instanceof InterruptException;
    if (DeliveryClassifier.verdict(error) == Verdict.UNAVAILABLE && !interrupted) {
      fenceFromOutside(ErrorText.of(error));
    }
    sending.end(DeliveryClassifier.delivery(sending.topic(), error));
  }

  /** The producer took a message and could not deliver it. Runs on the producer's thread. */
  void failed(PendingSend sending, Exception error) {
    acknowledged();
    Verdict verdict = DeliveryClassifier.verdict(error);
    boolean afterFence = isFenced();
    if (verdict != Verdict.REJECTED) {
      // A topic that refuses the relay's timestamps is reported elsewhere, and probed again and
      // again.
      fence(ErrorText.of(error), verdict == Verdict.MISTIMED ? Level.DEBUG : Level.WARN);
    }
    boolean held = verdict == Verdict.UNAVAILABLE && afterFence;
    if (verdict == Verdict.UNANSWERED || (held && silent)) {
      boolean first = isFirst(sending);
      explanations
          .computeIfAbsent(sending.topic(), this::explain)
          .whenComplete(
              (delivery, unused) ->
                  sending.end(
                      first || delivery instanceof Delivery.Unavailable
                          ? delivery
                          : Delivery.HELD_BACK));
    } else if (held) {
      sending.end(heldBack());
    } else if (verdict == Verdict.REJECTED || isFirst(sending)) {
      sending.end(DeliveryClassifier.delivery(sending.topic(), error));
    } else {
      sending.end(Delivery.HELD_BACK);
    }
  }

  /** Whether no earlier message of its key has failed, which would hold it back. */
  private boolean isFirst(PendingSend sending) {
    @Nullable String key = sending.key();
    return key == null || stopped.add(new TopicKey(sending.topic(), key));
  }

  private record TopicKey(String topic, String key) {}

  /** What it means that messages to a topic timed out. */
  private CompletionStage<Delivery> explain(String topic) {
    return lookup
        .ask(topic)
        .handle(
            (answer, error) ->
                error != null
                    ? DeliveryClassifier.unlearnt(topic, Wrappers.unwrap(error))
                    : switch (answer) {
                      case MISSING, CREATABLE -> DeliveryClassifier.missing(topic);
                      case FORBIDDEN -> DeliveryClassifier.forbidden(topic, null);
                      case WRITABLE -> DeliveryClassifier.late(topic);
                    });
  }

  private void checkAlive() {
    if (!alive && open.get() > 0) {
      silent = true;
      fenceFromOutside(
          "it delivered nothing within " + DurationText.spoken(settings.firstAnswerTimeout()));
    }
  }

  private void fenceFromOutside(String reason) {
    ending.compareAndSet(null, reason);
    threads.retire(() -> fence(reason, Level.WARN));
  }

  private void fence(String reason, Level level) {
    ending.compareAndSet(null, reason);
    if (!fenced.compareAndSet(false, true)) {
      return;
    }
    log.atLevel(level)
        .log("Kafka producer {} is closed, to be replaced: {}", settings.clientId(), reason);
    close(Duration.ZERO);
    queues.values().forEach(queue -> queue.abandon(heldBack()));
  }

  private void close(Duration timeout) {
    try {
      producer.close(timeout);
    } catch (KafkaException e) {
      log.debug("Kafka producer {} did not close cleanly", settings.clientId(), e);
    }
  }

  /** The outcome of messages that end because another failed. */
  Delivery heldBack() {
    return new Delivery.Unavailable("held back: " + ending.get(), null);
  }

  boolean isFenced() {
    return fenced.get();
  }

  /** Whether it takes no more messages. */
  boolean isEnding() {
    return ending.get() != null;
  }

  /** Whether it takes no more messages and all it had have ended. */
  boolean isDrained() {
    return isEnding() && open.get() == 0;
  }

  /** A message has ended. */
  void ended() {
    if (open.decrementAndGet() == 0 && isEnding()) {
      drained.countDown();
    }
  }

  /** Takes no more messages, waits for those it has, and closes the producer. */
  void close(Duration patience, String reason) {
    ending.compareAndSet(null, reason);
    boolean ended = isDrained() || awaitDrained(patience);
    if (fenced.compareAndSet(false, true)) {
      close(ended ? Duration.ofSeconds(1) : Duration.ZERO);
      queues.values().forEach(queue -> queue.abandon(heldBack()));
    }
  }

  private boolean awaitDrained(Duration patience) {
    try {
      return drained.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
