package dev.postcommit.kafka;

import dev.postcommit.internal.ErrorText;
import dev.postcommit.internal.Wrappers;
import dev.postcommit.kafka.DeliveryClassifier.Verdict;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.TransactionalPublisher.Result;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One transactional producer, from its beginning to the first transaction of which it is not known
 * whether it was committed or aborted. Its successor then finds out by beginning.
 */
final class TransactionSession {
  private static final Logger log = LoggerFactory.getLogger(TransactionSession.class);

  private static final int PLACE = -1;

  /** How long a topic that is missing is not asked for again. */
  private static final long MEMORY_NANOS = Duration.ofSeconds(10).toNanos();

  private final Producer<byte[], byte[]> producer;
  private final Function<String, ProducerRecord<byte[], byte[]>> placeRecord;
  private final TopicLookup lookup;
  private final int maxRequestSize;
  private final Set<String> known = new HashSet<>();
  private final Map<String, Long> missing = new HashMap<>();
  private volatile boolean over;

  TransactionSession(
      Producer<byte[], byte[]> producer,
      Function<String, ProducerRecord<byte[], byte[]>> placeRecord,
      TopicLookup lookup,
      int maxRequestSize) {
    this.producer = producer;
    this.placeRecord = placeRecord;
    this.lookup = lookup;
    this.maxRequestSize = maxRequestSize;
  }

  /** Waits until transactions that others of the same id have begun are committed or aborted. */
  void begin() {
    producer.initTransactions();
  }

  /** Sends nothing more; a transaction that is under way is left to the successor. */
  void end() {
    over = true;
    try {
      producer.close(Duration.ZERO);
    } catch (KafkaException e) {
      log.debug("a transactional producer did not close cleanly", e);
    }
  }

  synchronized Result deliver(List<Message> messages, Supplier<String> place) {
    if (over) {
      return new Result.Superseded("the producer was replaced");
    }
    Map<Integer, Exception> errors = new ConcurrentHashMap<>();
    try {
      Map<Integer, Delivery> unsendable = unsendable(messages);
      if (!unsendable.isEmpty()) {
        return new Result.Refused(unsendable);
      }
      producer.beginTransaction();
      send(messages, errors);
    } catch (KafkaException | IllegalStateException e) {
      errors.putIfAbsent(PLACE, e);
    }
    if (errors.isEmpty()) {
      record(place, errors);
    }
    if (!errors.isEmpty()) {
      return abort(errors);
    }
    try {
      producer.commitTransaction();
      return new Result.Committed();
    } catch (KafkaException | IllegalStateException e) {
      return ended(e);
    }
  }

  private void send(List<Message> messages, Map<Integer, Exception> errors) {
    for (int n = 0; n < messages.size() && errors.isEmpty(); n++) {
      send(Messages.record(messages.get(n)), n, errors);
    }
  }

  private void send(
      ProducerRecord<byte[], byte[]> record, int index, Map<Integer, Exception> errors) {
    var unused =
        producer.send(
            record,
            (metadata, error) -> {
              if (error != null) {
                errors.put(index, error);
              }
            });
  }

  /** Asks for the place while the messages are sent, and waits for all of them. */
  private void record(Supplier<String> place, Map<Integer, Exception> errors) {
    String text;
    try {
      text = place.get();
    } catch (RuntimeException | Error e) {
      Result aborted = abort(errors);
      log.debug("a transaction has no place: {}", aborted);
      throw e;
    }
    try {
      send(placeRecord.apply(text), PLACE, errors);
      producer.flush();
    } catch (KafkaException | IllegalStateException e) {
      errors.putIfAbsent(PLACE, e);
    }
  }

  private Result abort(Map<Integer, Exception> errors) {
    try {
      producer.abortTransaction();
    } catch (KafkaException | IllegalStateException e) {
      return ended(errors.values().stream().findFirst().orElse(e));
    }
    Map<Integer, Delivery> refusals = new HashMap<>();
    errors.forEach(
        (index, error) -> {
          Verdict verdict = DeliveryClassifier.verdict(error);
          if (index != PLACE && (verdict == Verdict.REJECTED || verdict == Verdict.RETRYABLE)) {
            refusals.put(index, DeliveryClassifier.delivery(error));
          }
        });
    return refusals.isEmpty() && !errors.isEmpty()
        ? ended(errors.values().iterator().next())
        : new Result.Refused(refusals);
  }

  private Result ended(Exception error) {
    boolean replaced = over;
    log.debug("a transactional producer is given up", error);
    end();
    return replaced || isFenced(error)
        ? new Result.Superseded(ErrorText.of(error))
        : new Result.Unavailable(ErrorText.of(error), error);
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

  /** What is known before anything is sent to keep messages from being sent. */
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

  /** A producer's transaction fails with the first message to a topic that it does not find. */
  private @Nullable Delivery topicProblem(String topic) {
    if (known.contains(topic)) {
      return null;
    }
    @Nullable Long missedAt = missing.get(topic);
    if (missedAt != null && System.nanoTime() - missedAt < MEMORY_NANOS) {
      return DeliveryClassifier.missing(topic);
    }
    boolean exists = false;
    try {
      exists = lookup.exists(topic).toCompletableFuture().join();
      // Asking for a topic makes brokers that are set up so create it.
      producer.partitionsFor(topic);
      known.add(topic);
      return null;
    } catch (KafkaException | CompletionException e) {
      Throwable cause = Wrappers.unwrap(e);
      Verdict verdict = DeliveryClassifier.verdict(cause);
      if (cause instanceof TimeoutException && !exists) {
        missing.put(topic, System.nanoTime());
        return DeliveryClassifier.missing(topic);
      }
      if (verdict == Verdict.REJECTED || verdict == Verdict.RETRYABLE) {
        return DeliveryClassifier.delivery(cause);
      }
      throw cause instanceof KafkaException known ? known : new KafkaException(cause);
    }
  }
}
