package dev.postcommit.kafka;

import dev.postcommit.kafka.TopicLookup.Answer;
import dev.postcommit.kafka.internal.ClientErrors;
import dev.postcommit.kafka.internal.DeliveryClassifier;
import dev.postcommit.kafka.internal.KafkaSettings;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.TransactionalPublisher.Result;
import dev.postcommit.support.DurationText;
import dev.postcommit.support.ErrorText;
import dev.postcommit.support.Wrappers;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One transactional producer, from its beginning to the first transaction whose outcome is unknown.
 * Its successor then finds out by beginning.
 */
final class TransactionSession {
  private static final Logger log = LoggerFactory.getLogger(TransactionSession.class);

  private static final int CHECKPOINT = -1;

  /**
   * The pause after a commit, while more messages gather. Kafka answers a commit before it has
   * reached all partitions, and delays the next transaction by 20 ms if that begins too early.
   */
  private static final long REST_NANOS = Duration.ofMillis(2).toNanos();

  /** How long a refused topic is refused without asking again. */
  private static final long MEMORY_NANOS = Duration.ofSeconds(1).toNanos();

  /** How often brokers that create topics are asked to create one. */
  private static final long CREATION_NANOS = Duration.ofMinutes(1).toNanos();

  private final Producer<byte[], byte[]> producer;
  private final Function<String, ProducerRecord<byte[], byte[]>> checkpointRecord;
  private final TopicLookup lookup;
  private final KafkaSettings settings;
  private final int maxRequestSize;
  private final Set<String> known = new HashSet<>();
  private final Map<String, Refusal> refused = new HashMap<>();
  private final Map<String, Long> created = new HashMap<>();
  private volatile boolean over;

  TransactionSession(
      Producer<byte[], byte[]> producer,
      Function<String, ProducerRecord<byte[], byte[]>> checkpointRecord,
      TopicLookup lookup,
      KafkaSettings settings) {
    this.producer = producer;
    this.checkpointRecord = checkpointRecord;
    this.lookup = lookup;
    this.settings = settings;
    this.maxRequestSize = settings.maxRequestSize();
  }

  /** Fences older producers of the same id, and waits for the end of their transactions. */
  void begin() {
    producer.initTransactions();
  }

  /** Sends nothing more; an open transaction is left to the successor. */
  void end() {
    over = true;
    try {
      producer.close(Duration.ZERO);
    } catch (KafkaException e) {
      log.debug("a transactional producer did not close cleanly", e);
    }
  }

  synchronized Result deliver(List<Message> messages, Supplier<String> checkpoint) {
    if (over) {
      return new Result.Superseded("the producer was replaced");
    }
    Sendings sendings = new Sendings(messages.size() + 1);
    try {
      Map<Integer, Delivery> unsendable = unsendable(messages);
      if (!unsendable.isEmpty()) {
        return new Result.Refused(unsendable);
      }
      producer.beginTransaction();
      for (int n = 0; n < messages.size() && sendings.errors.isEmpty(); n++) {
        sendings.send(n, Messages.record(messages.get(n)));
      }
    } catch (KafkaException | IllegalStateException e) {
      sendings.failed(CHECKPOINT, e);
    }
    if (sendings.errors.isEmpty()) {
      record(messages, checkpoint, sendings);
    }
    if (!sendings.errors.isEmpty()) {
      return abort(messages, sendings.errors);
    }
    try {
      producer.commitTransaction();
      LockSupport.parkNanos(REST_NANOS);
      return new Result.Committed();
    } catch (KafkaException | IllegalStateException e) {
      return ended(e);
    }
  }

  /** Asks for the checkpoint while the messages are sent, and waits for all of them. */
  private void record(List<Message> messages, Supplier<String> checkpoint, Sendings sendings) {
    String text;
    try {
      text = checkpoint.get();
    } catch (RuntimeException | Error e) {
      Result aborted = abort(messages, sendings.errors);
      log.debug("a transaction has no checkpoint: {}", aborted);
      throw e;
    }
    try {
      sendings.send(CHECKPOINT, checkpointRecord.apply(text));
      sendings.await(settings.deliveryTimeout().plus(settings.requestTimeout()));
    } catch (KafkaException | IllegalStateException e) {
      sendings.failed(CHECKPOINT, e);
    }
  }

  /**
   * Records that the producer was given. {@link Producer#flush} is not used to wait for them,
   * because it has no time limit.
   */
  private final class Sendings {
    private final Map<Integer, Exception> errors = new ConcurrentHashMap<>();
    private final CountDownLatch open;

    Sendings(int records) {
      open = new CountDownLatch(records);
    }

    void send(int index, ProducerRecord<byte[], byte[]> record) {
      var unused =
          producer.send(
              record,
              (metadata, error) -> {
                if (error != null) {
                  errors.put(index, error);
                  giveUp();
                }
                open.countDown();
              });
    }

    private void giveUp() {
      while (open.getCount() > 0) {
        open.countDown();
      }
    }

    void failed(int index, Exception error) {
      errors.putIfAbsent(index, error);
    }

    /** Waits until all have arrived, or one has not. */
    void await(Duration time) {
      try {
        boolean ended = open.await(time.toNanos(), TimeUnit.NANOSECONDS);
        if (!ended && errors.isEmpty()) {
          throw new TimeoutException("Kafka did not answer within " + DurationText.spoken(time));
        }
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      }
    }
  }

  private Result abort(List<Message> messages, Map<Integer, Exception> errors) {
    try {
      producer.abortTransaction();
    } catch (KafkaException | IllegalStateException e) {
      return ended(errors.values().stream().findFirst().orElse(e));
    }
    Map<Integer, Delivery> refusals = new HashMap<>();
    errors.forEach(
        (index, error) -> {
          if (index != CHECKPOINT && isToBlame(error)) {
            String topic = messages.get(index).topic();
            known.remove(topic);
            refusals.put(index, DeliveryClassifier.delivery(topic, error));
          }
        });
    return refusals.isEmpty() && !errors.isEmpty()
        ? ended(errors.values().iterator().next())
        : new Result.Refused(refusals);
  }

  /**
   * Whether an error concerns one message or its topic, and not the whole transaction. After a
   * temporary error of a partition, or a wrong clock, the transaction is tried again, so that its
   * events are still delivered once.
   */
  private static boolean isToBlame(Exception error) {
    return switch (DeliveryClassifier.verdict(error)) {
      case REJECTED, FORBIDDEN, RETRYABLE -> true;
      case MISTIMED, UNAVAILABLE, UNANSWERED, DEFERRED -> false;
    };
  }

  private Result ended(Exception error) {
    boolean replaced = over;
    log.debug("a transactional producer is given up", error);
    end();
    return replaced || isFenced(error)
        ? new Result.Superseded(ErrorText.of(error))
        : new Result.Unavailable(ClientErrors.text(error), error);
  }

  private static boolean isFenced(@Nullable Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof ProducerFencedException
          || cause instanceof InvalidProducerEpochException
          || cause instanceof InvalidPidMappingException) {
        return true;
      }
    }
    return false;
  }

  /** The messages that are known to be undeliverable before anything is sent. */
  private Map<Integer, Delivery> unsendable(List<Message> messages) {
    Map<Integer, Delivery> found = new HashMap<>();
    for (int i = 0; i < messages.size(); i++) {
      Message message = messages.get(i);
      @Nullable Delivery refusal = topicProblem(message.topic());
      if (refusal == null && message.body().length > maxRequestSize) {
        refusal =
            new Delivery.Rejected(
                "its %d bytes are more than max.request.size (%d) allows"
                    .formatted(message.body().length, maxRequestSize),
                null);
      }
      if (refusal != null) {
        found.put(i, refusal);
      }
    }
    return found;
  }

  /** Checked first, because a transaction fails with a message to a topic that does not exist. */
  private @Nullable Delivery topicProblem(String topic) {
    if (known.contains(topic)) {
      return null;
    }
    @Nullable Refusal last = refused.get(topic);
    if (last != null && System.nanoTime() - last.at() < MEMORY_NANOS) {
      return last.delivery();
    }
    @Nullable Delivery refusal = ask(topic);
    if (refusal == null) {
      known.add(topic);
      refused.remove(topic);
    } else {
      refused.put(topic, new Refusal(refusal, System.nanoTime()));
    }
    return refusal;
  }

  private record Refusal(Delivery delivery, long at) {}

  /** Waits until the producer knows a topic; returns why messages to it cannot be sent, or null. */
  private @Nullable Delivery ask(String topic) {
    @Nullable Answer answer = null;
    try {
      answer = lookup.ask(topic).toCompletableFuture().join();
      if (answer == Answer.FORBIDDEN) {
        return DeliveryClassifier.forbidden(topic, null);
      }
      if (answer == Answer.MISSING || (answer == Answer.CREATABLE && !mayCreate(topic))) {
        return DeliveryClassifier.missing(topic);
      }
      // Asking for a topic makes brokers with automatic creation create it.
      producer.partitionsFor(topic);
      return null;
    } catch (KafkaException | CompletionException e) {
      Throwable cause = Wrappers.unwrap(e);
      if (answer == Answer.CREATABLE) {
        return DeliveryClassifier.missing(topic);
      }
      return switch (DeliveryClassifier.verdict(cause)) {
        case REJECTED, FORBIDDEN -> DeliveryClassifier.unlearnt(topic, cause);
        default -> throw cause instanceof KafkaException known ? known : new KafkaException(cause);
      };
    }
  }

  private boolean mayCreate(String topic) {
    long now = System.nanoTime();
    @Nullable Long last = created.get(topic);
    if (last != null && now - last < CREATION_NANOS) {
      return false;
    }
    created.put(topic, now);
    return true;
  }
}
