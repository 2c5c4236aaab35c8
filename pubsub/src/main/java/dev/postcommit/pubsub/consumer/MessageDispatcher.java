package dev.postcommit.pubsub.consumer;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.spi.DeadLetterSink;
import dev.postcommit.consumer.spi.WorkerPool;
import dev.postcommit.consumer.spi.WorkerSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Dispatches messages to workers. Messages of a key go to the same worker for as long as the
 * consumer lives, whichever subscriber pulled them. So they are never handled at the same time
 * within a process.
 */
final class MessageDispatcher extends WorkerPool<PulledMessage> {
  private int next;

  MessageDispatcher(
      String name,
      WorkerSettings settings,
      EventConsumer consumer,
      DeadLetterSink<PulledMessage> deadLetters) {
    super(name, settings, consumer, deadLetters);
  }

  /** Has a message handled after the earlier ones of its key. */
  void dispatch(PulledMessage message) {
    give(worker(message), List.of(message));
  }

  private int worker(PulledMessage message) {
    @Nullable String key = message.key();
    return key == null || message.orderingKey() == message
        ? nextInTurn()
        : workerFor(key.hashCode());
  }

  private synchronized int nextInTurn() {
    next = (next + 1) % size();
    return next;
  }

  /** Forgets the messages of a subscriber that wait. */
  void drop(OutstandingMessages outstanding) {
    drop(message -> message.outstanding() == outstanding);
  }
}
