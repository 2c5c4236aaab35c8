package dev.postcommit.bench.debezium;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Sends what the event router made of the rows.
 *
 * <p>A batch is marked as processed when Kafka has all of it. Until then the producer tries on,
 * however long the broker is away; an error that no retry can mend ends the engine, which has not
 * stored a place in the log beyond the batch.
 */
final class KafkaHandler
    implements DebeziumEngine.ChangeConsumer<RecordChangeEvent<SourceRecord>>, AutoCloseable {
  private final KafkaProducer<String, String> producer;

  KafkaHandler(Map<String, Object> settings) {
    this.producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
  }

  @Override
  public void handleBatch(
      List<RecordChangeEvent<SourceRecord>> events,
      DebeziumEngine.RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
      throws InterruptedException {
    List<Future<?>> sent = new ArrayList<>(events.size());
    for (RecordChangeEvent<SourceRecord> event : events) {
      sent.add(producer.send(message(event.record())));
    }
    producer.flush();
    for (int i = 0; i < sent.size(); i++) {
      try {
        sent.get(i).get();
      } catch (ExecutionException e) {
        throw new IllegalStateException("Kafka does not take a message", e.getCause());
      }
      committer.markProcessed(events.get(i));
    }
    committer.markBatchFinished();
  }

  private static ProducerRecord<String, String> message(SourceRecord routed) {
    ProducerRecord<String, String> message =
        new ProducerRecord<>(routed.topic(), (String) routed.key(), (String) routed.value());
    for (Header header : routed.headers()) {
      message.headers().add(header.key(), header.value().toString().getBytes(UTF_8));
    }
    return message;
  }

  @Override
  public void close() {
    producer.close();
  }
}
