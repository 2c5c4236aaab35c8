package dev.postcommit.bench.namastack;

import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import org.springframework.kafka.core.KafkaOperations;

/**
 * Sends each record's payload to Kafka and waits until it is acknowledged, as the library's own
 * handler for Kafka does.
 */
final class Sender implements OutboxTypedHandler<Message> {
  private final KafkaOperations<String, Message> kafka;
  private final String topic;
  private volatile boolean stopped;

  Sender(KafkaOperations<String, Message> kafka, String topic) {
    this.kafka = kafka;
    this.topic = topic;
  }

  @Override
  public void handle(Message payload, OutboxRecordMetadata metadata) {
    if (stopped) {
      throw new CancellationException("the relay is stopped");
    }
    try {
      kafka.send(topic, metadata.getKey(), payload).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while sending", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("not sent: " + e.getCause(), e);
    }
  }

  /** Whether the rest of a poll, which may be a whole backlog, is left for later. */
  void setStopped(boolean stopped) {
    this.stopped = stopped;
  }
}
