package dev.postcommit.kafka;

import dev.postcommit.PostcommitException;
import dev.postcommit.kafka.internal.ClientErrors;
import dev.postcommit.kafka.internal.KafkaSettings;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.TransactionalPublisher;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Publishes in Kafka transactions, each of which records a checkpoint.
 *
 * <p>Single messages are sent by another producer, without transactions: their delivery is recorded
 * in the database, so a transaction would gain nothing.
 */
final class KafkaTransactions implements TransactionalPublisher {
  private final String id;
  private final KafkaSettings settings;
  private final KafkaPublisher single;
  private final CheckpointTopic checkpoints;
  private volatile @Nullable TransactionSession session;
  private volatile boolean closed;

  KafkaTransactions(String id, KafkaSettings settings) {
    this.id = id;
    this.settings = settings;
    this.single = new KafkaPublisher(settings);
    this.checkpoints = new CheckpointTopic(single.cluster(), settings.committedReader(), id);
  }

  @Override
  public synchronized Optional<String> begin() {
    end();
    if (closed) {
      throw new PostcommitException("the publisher is closed");
    }
    @Nullable TransactionSession next = null;
    try {
      TopicPartition partition = checkpoints.partition();
      next =
          new TransactionSession(
              new KafkaProducer<>(settings.transactional(id)),
              checkpoint -> checkpoints.record(partition, checkpoint),
              single.cluster(),
              settings);
      next.begin();
      Optional<String> checkpoint = checkpoints.read(partition);
      session = next;
      return checkpoint;
    } catch (KafkaException e) {
      if (next != null) {
        next.end();
      }
      throw new PostcommitException(
          "Kafka transactions of %s cannot begin: %s".formatted(id, ClientErrors.text(e)), e);
    }
  }

  private void end() {
    @Nullable TransactionSession last = session;
    session = null;
    if (last != null) {
      last.end();
    }
  }

  @Override
  public Result deliver(List<Message> messages, Supplier<String> checkpoint) {
    @Nullable TransactionSession current = session;
    return current == null
        ? new Result.Superseded("transactions of " + id + " have not begun")
        : current.deliver(messages, checkpoint);
  }

  @Override
  public CompletionStage<Delivery> send(Message message) {
    return single.send(message);
  }

  @Override
  public Handover handover() {
    return single.handover();
  }

  @Override
  public boolean keepsOrder() {
    return single.keepsOrder();
  }

  @Override
  public Optional<String> problem() {
    return single.problem();
  }

  @Override
  public Duration deliveryTimeout() {
    return single.deliveryTimeout();
  }

  @Override
  public OptionalInt maxMessageBytes() {
    return single.maxMessageBytes();
  }

  @Override
  public synchronized void close() {
    closed = true;
    end();
    single.close();
  }
}
