package dev.postcommit.kafka.consumer;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A partition for as long as it is assigned: the records that were fetched, and how far they are
 * done.
 *
 * <p>Every assignment has an object of its own. So a late result from an assignment that has ended
 * cannot move the offset of the next.
 *
 * <p>The poll thread adds and commits; workers {@link #begin} and {@link #finish}, and mark records
 * as done.
 */
final class AssignedPartition {
  /**
   * The most records kept, done or not. A record that takes long must not let the list of those
   * done behind it grow without end.
   */
  private static final int LONGEST = 100_000;

  private final TopicPartition name;
  private final Deque<FetchedRecord> records = new ArrayDeque<>();
  private final AtomicInteger undone = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private @Nullable OffsetAndMetadata fetched;
  private long committed = -1;
  private int inFlight;
  private boolean ended;

  AssignedPartition(TopicPartition name) {
    this.name = name;
  }

  TopicPartition name() {
    return name;
  }

  /** Adds a record, in the order of offsets. */
  FetchedRecord add(ConsumerRecord<byte[], byte[]> record, @Nullable Object orderingKey) {
    FetchedRecord added = new FetchedRecord(this, record, orderingKey);
    records.addLast(added);
    undone.incrementAndGet();
    bytes.addAndGet(added.bytes());
    return added;
  }

  /** All records before {@code position} have been added; some offsets have none. */
  void fetchedTo(OffsetAndMetadata position) {
    fetched = position;
  }

  /**
   * The offset to commit: that of the first record that is not done, or the next to be fetched.
   * Null if it is committed already. The first position is committed too, done or not: from then on
   * the group knows where it was, whatever {@code auto.offset.reset} says.
   */
  @Nullable OffsetAndMetadata progress() {
    while (!records.isEmpty() && records.getFirst().isDone()) {
      records.removeFirst();
    }
    @Nullable OffsetAndMetadata position =
        records.isEmpty() ? fetched : new OffsetAndMetadata(records.getFirst().offset());
    return position == null || position.offset() == committed ? null : position;
  }

  void committed(OffsetAndMetadata position) {
    committed = position.offset();
  }

  /** Whether so many records wait or are being handled that no more should be fetched. */
  boolean isFull(int mostRecords, long mostBytes) {
    return undone.get() >= mostRecords || bytes.get() >= mostBytes || records.size() >= LONGEST;
  }

  /** How many records are not done. */
  int undone() {
    return undone.get();
  }

  void recordDone(FetchedRecord record) {
    undone.decrementAndGet();
    bytes.addAndGet(-record.bytes());
  }

  /** A worker begins to handle a record, unless the assignment has ended. */
  synchronized boolean begin() {
    if (!ended) {
      inFlight++;
    }
    return !ended;
  }

  /** A worker has finished with a record that it began, whatever the outcome. */
  synchronized void finish() {
    inFlight--;
    notifyAll();
  }

  /** Ends the assignment: no more records of it are begun. */
  synchronized void end() {
    ended = true;
  }

  synchronized boolean isEnded() {
    return ended;
  }

  /** Whether nothing of it is being handled. */
  synchronized boolean isIdle() {
    return inFlight == 0;
  }

  /** Waits until nothing of it is being handled. */
  synchronized boolean awaitIdle(Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (inFlight > 0) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      wait(left / 1_000_000 + 1);
    }
    return true;
  }

  @Override
  public String toString() {
    return name.toString();
  }
}
