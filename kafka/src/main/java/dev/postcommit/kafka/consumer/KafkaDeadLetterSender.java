package dev.postcommit.kafka.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.consumer.deadletter.DeadLetter;
import dev.postcommit.consumer.spi.DeadLetterSink;
import dev.postcommit.consumer.spi.RecurringFailure;
import dev.postcommit.support.Wrappers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * Sends dead letters to Kafka. Nothing connects before the first.
 *
 * <p>A producer that fails is replaced, and gives up everything it held. So a dead letter that the
 * next producer sends again is not sent late by this one too. It can be there twice only if Kafka's
 * answer was lost.
 */
final class KafkaDeadLetterSender implements DeadLetterSink<FetchedRecord> {
  private static final Logger log = LoggerFactory.getLogger(KafkaDeadLetterSender.class);

  private final ConsumerSettings settings;
  private final KafkaDeadLetterTopics topics;
  private final RecurringFailure failure = new RecurringFailure(log, "sending dead letters");
  private @Nullable Producer<byte[], byte[]> producer;
  private boolean closed;

  KafkaDeadLetterSender(ConsumerSettings settings) {
    this.settings = settings;
    this.topics = new KafkaDeadLetterTopics(settings.admin());
  }

  @Override
  public Optional<String> problem() {
    return failure.reason();
  }

  @Override
  public void send(List<FetchedRecord> records) {
    @Nullable Producer<byte[], byte[]> current = producer(records.get(0));
    if (current == null) {
      return;
    }
    Map<FetchedRecord, Future<RecordMetadata>> begun = new LinkedHashMap<>();
    try {
      for (FetchedRecord record : records) {
        begun.put(record, begin(current, record));
      }
    } catch (InterruptedException | InterruptException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) { // errors too: those that were begun are still waited for
      failed(current, records.get(begun.size()), Wrappers.unwrap(e));
    }
    begun.forEach((record, answer) -> end(current, record, answer));
  }

  private Future<RecordMetadata> begin(Producer<byte[], byte[]> current, FetchedRecord record)
      throws ExecutionException, TimeoutException, InterruptedException {
    DeadLetter letter = record.deadLetter();
    topics.require(letter.topic(), record.record().topic());
    return current.send(toSend(record.record(), letter));
  }

  private void end(
      Producer<byte[], byte[]> current, FetchedRecord record, Future<RecordMetadata> answer) {
    try {
      RecordMetadata sent = await(current, record, answer);
      log.debug("{}: its dead letter is {}@{}", record, sent, sent.offset());
      record.done();
      failure.over();
    } catch (InterruptedException | InterruptException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      failed(current, record, Wrappers.unwrap(e));
    }
  }

  private static RecordMetadata await(
      Producer<byte[], byte[]> current, FetchedRecord record, Future<RecordMetadata> answer)
      throws ExecutionException, TimeoutException, InterruptedException {
    try {
      return await(answer);
    } catch (ExecutionException e) {
      DeadLetter letter = record.deadLetter();
      if (letter.bodyOmitted() || !(e.getCause() instanceof RecordTooLargeException)) {
        throw e;
      }
      log.warn("{}: its dead letter is too large, and is sent without the event's content", record);
      record.giveUp(letter.withoutBody());
      return await(current.send(toSend(record.record(), record.deadLetter())));
    }
  }

  private static RecordMetadata await(Future<RecordMetadata> answer)
      throws ExecutionException, TimeoutException, InterruptedException {
    // A producer that never reached the cluster does not observe its own timeout.
    long patience = ConsumerSettings.DEAD_LETTER_TIMEOUT.plusSeconds(1).toMillis();
    return answer.get(patience, TimeUnit.MILLISECONDS);
  }

  private void failed(Producer<byte[], byte[]> current, FetchedRecord record, Throwable error) {
    report(record, error);
    topics.forget(record.deadLetter().topic());
    retire(current);
  }

  private void report(FetchedRecord record, Throwable error) {
    failure.failed(
        error,
        Level.ERROR,
        "the dead letter of %s is kept and sent again; if necessary create topic %s, and permit writing to it"
            .formatted(record, record.deadLetter().topic()));
  }

  private static ProducerRecord<byte[], byte[]> toSend(
      ConsumerRecord<byte[], byte[]> source, DeadLetter letter) {
    Headers headers = new RecordHeaders(source.headers().toArray());
    letter
        .headers()
        .forEach((name, value) -> headers.remove(name).add(name, value.getBytes(UTF_8)));
    return new ProducerRecord<>(letter.topic(), null, source.key(), letter.body(), headers);
  }

  /** The producer to use, or null if none can be created for the dead letter of a record. */
  private synchronized @Nullable Producer<byte[], byte[]> producer(FetchedRecord record) {
    try {
      if (producer == null && !closed) {
        producer = new KafkaProducer<>(settings.producer());
      }
    } catch (KafkaException e) {
      report(record, e);
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
