package dev.postcommit.kafka.deadletter;

import dev.postcommit.PostcommitException;
import dev.postcommit.consumer.deadletter.DeadLetterContent;
import dev.postcommit.kafka.internal.DeliveryClassifier;
import dev.postcommit.kafka.internal.DeliveryClassifier.Verdict;
import dev.postcommit.store.Decision;
import dev.postcommit.support.ErrorText;
import dev.postcommit.support.Wrappers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Sends the original messages of dead letters, and writes the decisions. */
final class DeadLetterReplay implements AutoCloseable {

  /** A message that was sent and not acknowledged yet. */
  private record Sent(
      KafkaDeadLetterRef ref,
      ConsumerRecord<byte[], byte[]> letter,
      Future<RecordMetadata> acknowledgement) {}

  /** A dead letter cannot be replayed. */
  private static final class Impossible extends Exception {
    private static final long serialVersionUID = 1L;

    Impossible(String reason) {
      super(reason);
    }
  }

  private final Producer<byte[], byte[]> producer;
  private final DeadLetterReader originals;
  private final Decision decision;
  private final Set<String> allowed;
  private final Duration patience;
  private final Map<String, Integer> partitions = new HashMap<>();
  private final List<KafkaDeadLetterRef> replayed = new ArrayList<>();
  private final Map<KafkaDeadLetterRef, String> failed = new LinkedHashMap<>();

  /**
   * A replay by a producer.
   *
   * @param allowed the topics that may be replayed to, whichever topics dead letters name
   * @param patience how long to wait for Kafka to acknowledge what was sent
   */
  DeadLetterReplay(
      Producer<byte[], byte[]> producer,
      DeadLetterReader originals,
      Decision decision,
      Set<String> allowed,
      Duration patience) {
    this.producer = producer;
    this.originals = originals;
    this.decision = decision;
    this.allowed = allowed;
    this.patience = patience;
  }

  KafkaReplay result() {
    return new KafkaReplay(List.copyOf(replayed), failed);
  }

  /** Replays dead letters and waits until everything is written. */
  void send(Collection<ConsumerRecord<byte[], byte[]>> letters) {
    List<Sent> sent = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> letter : letters) {
      KafkaDeadLetter read = DeadLetterRecords.letter(letter, null);
      try {
        sent.add(new Sent(read.ref(), letter, send(original(letter, read.content()))));
      } catch (Impossible e) {
        failed.put(read.ref(), String.valueOf(e.getMessage()));
      }
    }
    decide(sent);
  }

  /** Writes decisions for acknowledged messages, and only then reports the others. */
  private void decide(List<Sent> sent) {
    @Nullable Throwable failure = null;
    List<Future<RecordMetadata>> decisions = new ArrayList<>();
    List<KafkaDeadLetterRef> decided = new ArrayList<>();
    long deadline = deadline();
    for (Sent each : sent) {
      @Nullable Throwable error = failure(each.acknowledgement, deadline);
      if (error == null) {
        decided.add(each.ref);
        decisions.add(
            send(
                DeadLetterRecords.decision(
                    each.letter, each.ref.eventId(), Instant.now(), decision)));
      } else if (isRefusal(DeliveryClassifier.verdict(error))) {
        failed.put(each.ref, "Kafka refuses it: " + ErrorText.of(error));
      } else {
        failure = failure == null ? error : failure;
      }
    }
    deadline = deadline();
    for (Future<RecordMetadata> written : decisions) {
      @Nullable Throwable error = failure(written, deadline);
      failure = failure == null ? error : failure;
    }
    replayed.addAll(decided);
    if (failure != null) {
      throw new PostcommitException(
          "Kafka failed after %d letters were replayed: %s; try again"
              .formatted(replayed.size(), ErrorText.of(failure)),
          failure);
    }
  }

  private static boolean isRefusal(Verdict verdict) {
    return verdict == Verdict.REJECTED || verdict == Verdict.FORBIDDEN;
  }

  private Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
    try {
      return producer.send(record);
    } catch (KafkaException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private long deadline() {
    return System.nanoTime() + patience.toNanos();
  }

  /** Why a record was not written, as far as is known by {@code deadline}. */
  private @Nullable Throwable failure(Future<RecordMetadata> acknowledgement, long deadline) {
    try {
      // A producer that never reached the cluster does not observe its own timeout.
      acknowledgement.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      return null;
    } catch (ExecutionException e) {
      return Wrappers.unwrap(e);
    } catch (TimeoutException e) {
      return new org.apache.kafka.common.errors.TimeoutException(
          "it has not acknowledged what was sent within " + patience, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PostcommitException("interrupted while replaying", e);
    }
  }

  private ProducerRecord<byte[], byte[]> original(
      ConsumerRecord<byte[], byte[]> letter, DeadLetterContent content) throws Impossible {
    String topic = content.originalTopic();
    if (!allowed.contains(topic)) {
      // Otherwise anyone who can write a dead letter could make an operator write to any topic.
      throw new Impossible(
          "it names topic %s, and only letters of %s are replayed here unless that topic is allowed too"
              .formatted(topic, String.join(", ", allowed)));
    }
    int count = partitions.computeIfAbsent(topic, originals::partitions);
    if (count == 0) {
      throw new Impossible("topic " + topic + " does not exist");
    }
    int partition = (int) Math.min(number(content, "partition"), Integer.MAX_VALUE);
    ProducerRecord<byte[], byte[]> original =
        new ProducerRecord<>(
            topic,
            partition >= 0 && partition < count ? partition : null,
            letter.key(),
            body(content, partition));
    DeadLetterRecords.copyOriginal(letter.headers(), original.headers());
    return original;
  }

  private byte @Nullable [] body(DeadLetterContent content, int partition) throws Impossible {
    return switch (content.kept()) {
      case IN_LETTER -> content.original();
      case NONE -> null;
      case OMITTED -> omitted(content, partition);
      case UNKNOWN -> throw new Impossible("it does not hold the original event");
    };
  }

  private byte @Nullable [] omitted(DeadLetterContent content, int partition) throws Impossible {
    long offset = number(content, "offset");
    String place = content.originalTopic() + " " + content.origin();
    if (partition < 0 || offset < 0) {
      throw new Impossible("it omits the original event and does not tell where that is: " + place);
    }
    ConsumerRecord<byte[], byte[]> found =
        originals.find(new TopicPartition(content.originalTopic(), partition), offset);
    if (found == null) {
      throw new Impossible("it omits the original event, which is gone from " + place);
    }
    return found.value();
  }

  private static long number(DeadLetterContent content, String name) {
    try {
      return Long.parseLong(content.origin().getOrDefault(name, "-1"));
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  @Override
  public void close() {
    originals.close();
    producer.close(Duration.ofSeconds(1));
  }
}
