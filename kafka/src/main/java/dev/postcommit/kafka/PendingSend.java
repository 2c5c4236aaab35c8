package dev.postcommit.kafka;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** A message that was handed to a session, until its outcome is known. */
final class PendingSend implements Callback {
  private static final AtomicIntegerFieldUpdater<PendingSend> ENDED =
      AtomicIntegerFieldUpdater.newUpdater(PendingSend.class, "ended");

  private final ProducerSession session;
  private final Message message;
  private final CompletableFuture<Delivery> outcome = new CompletableFuture<>();

  @SuppressWarnings("UnusedVariable") // by name
  private volatile int ended;

  /** The thread within {@link Producer#send}; a thread compares it only with itself. */
  private @Nullable Thread giver;

  PendingSend(ProducerSession session, Message message) {
    this.session = session;
    this.message = message;
  }

  String topic() {
    return message.topic();
  }

  @Nullable String key() {
    return message.key();
  }

  CompletableFuture<Delivery> outcome() {
    return outcome;
  }

  /** Whether it ended without being delivered, so that later messages of its key must end too. */
  boolean isStopped() {
    @Nullable Delivery delivery = outcome.getNow(null);
    return delivery != null
        && !(delivery instanceof Delivery.Delivered || delivery instanceof Delivery.Rejected);
  }

  /** Gives the message to the producer. */
  void giveTo(Producer<byte[], byte[]> producer) {
    giver = Thread.currentThread();
    try {
      var unused = producer.send(Messages.record(message), this);
    } catch (RuntimeException e) {
      session.threw(this, e);
    } finally {
      giver = null;
    }
  }

  /** Called within {@link #giveTo} if the producer does not take the message, else later. */
  @Override
  public void onCompletion(RecordMetadata metadata, @Nullable Exception error) {
    if (error == null) {
      session.acknowledged();
      end(Delivery.DELIVERED);
    } else if (giver == Thread.currentThread()) {
      session.refused(this, error);
    } else {
      session.failed(this, error);
    }
  }

  /** Ends the message; the first outcome stays. */
  void end(Delivery delivery) {
    if (ENDED.compareAndSet(this, 0, 1)) {
      outcome.complete(delivery);
      session.ended();
    }
  }
}
