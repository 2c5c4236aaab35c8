package dev.postcommit.testkit.pubsub.engine;

import java.util.Comparator;

/** One delivery of a message to a consumer, until it ends. Guarded by its backlog's lock. */
final class Lease {

  /** The first to run out comes first. Deadlines are times of {@code System.nanoTime}. */
  static final Comparator<Lease> BY_DEADLINE =
      (a, b) -> {
        long difference = a.deadline - b.deadline;
        return difference != 0 ? Long.signum(difference) : Long.compare(a.number, b.number);
      };

  final long number;
  final String ackId;
  final Item item;
  final Consumer consumer;
  long deadline;

  Lease(long number, String ackId, Item item, Consumer consumer, long deadline) {
    this.number = number;
    this.ackId = ackId;
    this.item = item;
    this.consumer = consumer;
    this.deadline = deadline;
  }
}
