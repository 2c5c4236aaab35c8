package dev.postcommit.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.consumer.DeadLetter;
import dev.postcommit.consumer.internal.Letters;
import dev.postcommit.consumer.internal.Trouble;
import dev.postcommit.support.Wrappers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Sends dead letters to Kafka. Nothing connects before the first. Safe for use by many threads.
 *
 * <p>A producer that fails is replaced. What it held is given up with it, so a letter that is sent
 * again by the next producer is not sent late by this one too; that it is there twice can happen
 * only if Kafka's answer was lost.
 */
final class LetterSender implements Letters<RecordSlot>, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LetterSender.class);

  private final ConsumerSettings settings;
  private final LetterTopics topics;
  private final Trouble trouble = new Trouble(log, "sending dead letters");
  private @Nullable Producer<byte[], byte[]> producer;
  private boolean closed;

  LetterSender(ConsumerSettings settings) {
    this.settings = settings;
    this.topics = new LetterTopics(settings.admin());
  }

  /** Why letters cannot be sent, if so. */
  Optional<String> problem() {
    return trouble.reason();
  }

  @Override
  public void send(List<RecordSlot> slots) {
    @Nullable Producer<byte[], byte[]> current = producer(slots.get(0));
    if (current == null) {
      return;
    }
    Map<RecordSlot, Future<RecordMetadata>> begun = new LinkedHashMap<>();
    try {
      for (RecordSlot slot : slots) {
        begun.put(slot, begin(current, slot));
      }
    } catch (InterruptedException | InterruptException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) { // also an error: those that were begun are to be waited for
      failed(current, slots.get(begun.size()), Wrappers.unwrap(e));
    }
    begun.forEach((slot, answer) -> end(current, slot, answer));
  }

  private Future<RecordMetadata> begin(Producer<byte[], byte[]> current, RecordSlot slot)
      throws ExecutionException, TimeoutException, InterruptedException {
    DeadLetter letter = letter(slot);
    topics.require(letter.topic(), slot.record().topic());
    return current.send(record(slot.record(), letter));
  }

  private void end(
      Producer<byte[], byte[]> current, RecordSlot slot, Future<RecordMetadata> answer) {
    try {
      RecordMetadata sent = await(current, slot, answer);
      log.debug("{}: its dead letter is {}@{}", slot, sent, sent.offset());
      slot.done();
      trouble.over();
    } catch (InterruptedException | InterruptException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      failed(current, slot, Wrappers.unwrap(e));
    }
  }

  private static RecordMetadata await(
      Producer<byte[], byte[]> current, RecordSlot slot, Future<RecordMetadata> answer)
      throws ExecutionException, TimeoutException, InterruptedException {
    try {
      return await(answer);
    } catch (ExecutionException e) {
      DeadLetter letter = letter(slot);
      if (letter.bodyOmitted() || !(e.getCause() instanceof RecordTooLargeException)) {
        throw e;
      }
      log.warn("{}: its dead letter is too large, and is sent without the event's content", slot);
      slot.giveUp(letter.withoutBody());
      return await(current.send(record(slot.record(), letter(slot))));
    }
  }

  private static RecordMetadata await(Future<RecordMetadata> answer)
      throws ExecutionException, TimeoutException, InterruptedException {
    // A producer that never got through to the cluster does not look after its own timeout.
    long patience = ConsumerSettings.LETTER_TIMEOUT.plusSeconds(1).toMillis();
    return answer.get(patience, TimeUnit.MILLISECONDS);
  }

  private void failed(Producer<byte[], byte[]> current, RecordSlot slot, Throwable error) {
    report(slot, error);
    topics.forget(letter(slot).topic());
    retire(current);
  }

  private void report(RecordSlot slot, Throwable error) {
    trouble.failed(
        error,
        Level.ERROR,
        "the letter of %s is kept and sent again; if need be create topic %s, and permit writing to it"
            .formatted(slot, letter(slot).topic()));
  }

  private static DeadLetter letter(RecordSlot slot) {
    return Objects.requireNonNull(slot.letter(), "the letter of a slot that was given up");
  }

  private static ProducerRecord<byte[], byte[]> record(
      ConsumerRecord<byte[], byte[]> source, DeadLetter letter) {
    Headers headers = new RecordHeaders(source.headers().toArray());
    letter
        .headers()
        .forEach((name, value) -> headers.remove(name).add(name, value.getBytes(UTF_8)));
    return new ProducerRecord<>(letter.topic(), null, source.key(), letter.body(), headers);
  }

  /** The producer to use, or null if none can be made for the letter of a slot. */
  private synchronized @Nullable Producer<byte[], byte[]> producer(RecordSlot slot) {
    try {
      if (producer == null && !closed) {
        producer = new KafkaProducer<>(settings.producer());
      }
    } catch (KafkaException e) {
      report(slot, e);
    }
    return producer;
  }

  private void retire(Producer<byte[], byte[]> failed) {
    synchronized (this) {
      producer = producer == failed ? null : producer;
    }
    try {
      failed.close(Duration.ZERO);
    } catch (KafkaException e) {
      log.debug("the producer of dead letters did not close cleanly", e);
    }
  }

  @Override
  public void close() {
    @Nullable Producer<byte[], byte[]> last;
    synchronized (this) {
      closed = true;
      last = producer;
    }
    if (last != null) {
      retire(last);
    }
    topics.close();
  }
}
