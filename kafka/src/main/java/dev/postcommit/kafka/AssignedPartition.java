package dev.postcommit.kafka;

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
 * A partition for as long as it is assigned: what was fetched of it, and how far it is done.
 *
 * <p>Every assignment has an object of its own. So what is late from an assignment that has ended
 * cannot move the offset of the next.
 *
 * <p>The poll thread adds and commits; lanes {@link #begin} and {@link #finish}, and mark slots as
 * done.
 */
final class AssignedPartition {
  /**
   * The most slots kept, done or not. A message that is long in coming must not let the list of
   * those done behind it grow without end.
   */
  private static final int LONGEST = 100_000;

  private final TopicPartition name;
  private final Deque<RecordSlot> slots = new ArrayDeque<>();
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
  RecordSlot add(ConsumerRecord<byte[], byte[]> record, @Nullable Object order) {
    RecordSlot slot = new RecordSlot(this, record, order);
    slots.addLast(slot);
    undone.incrementAndGet();
    bytes.addAndGet(slot.bytes());
    return slot;
  }

  /** All records before {@code position} have been added; some offsets have none. */
  void fetchedTo(OffsetAndMetadata position) {
    fetched = position;
  }

  /**
   * What to commit: the offset of the first record that is not done, or what would be fetched next.
   * Null if that is committed already. The first position is committed as well, done or not: from
   * then on the group knows where it was, whatever {@code auto.offset.reset} says.
   */
  @Nullable OffsetAndMetadata progress() {
    while (!slots.isEmpty() && slots.getFirst().isDone()) {
      slots.removeFirst();
    }
    @Nullable OffsetAndMetadata position =
        slots.isEmpty() ? fetched : new OffsetAndMetadata(slots.getFirst().offset());
    return position == null || position.offset() == committed ? null : position;
  }

  void committed(OffsetAndMetadata position) {
    committed = position.offset();
  }

  /** Whether so much of it waits or is being handled that no more is to be fetched. */
  boolean isFull(int mostSlots, long mostBytes) {
    return undone.get() >= mostSlots || bytes.get() >= mostBytes || slots.size() >= LONGEST;
  }

  /** How many records are not done. */
  int undone() {
    return undone.get();
  }

  void slotDone(RecordSlot slot) {
    undone.decrementAndGet();
    bytes.addAndGet(-slot.bytes());
  }

  /** A lane begins to handle a slot, unless the assignment has ended. */
  synchronized boolean begin() {
    if (!ended) {
      inFlight++;
    }
    return !ended;
  }

  /** A lane is finished with a slot that it began, whatever came of it. */
  synchronized void finish() {
    inFlight--;
    notifyAll();
  }

  /** The assignment ends: nothing more of it is begun. */
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
