package dev.postcommit.kafka;

import dev.postcommit.inbox.Attempt;
import dev.postcommit.inbox.DeadLetter;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A fetched record on its way through a lane, and its place in the progress of its partition. All
 * but {@link #isDone} is for the lane that has it.
 */
final class Slot {
  /** What a record takes beside its bytes, roughly. */
  private static final int OVERHEAD = 200;

  private final AssignedPartition partition;
  private final long offset;
  private final int bytes;
  private final @Nullable Object order;
  private @Nullable ConsumerRecord<byte[], byte[]> record;
  private @Nullable DeadLetter letter;
  private int attempt = 1;
  private volatile boolean done;

  Slot(AssignedPartition partition, ConsumerRecord<byte[], byte[]> record, @Nullable Object order) {
    this.partition = partition;
    this.offset = record.offset();
    this.record = record;
    this.order = order;
    this.bytes = size(record);
  }

  private static int size(ConsumerRecord<byte[], byte[]> record) {
    int size = OVERHEAD + Math.max(record.serializedKeySize(), 0);
    for (Header header : record.headers()) {
      size += header.key().length() + (header.value() == null ? 0 : header.value().length);
    }
    return size + Math.max(record.serializedValueSize(), 0);
  }

  AssignedPartition partition() {
    return partition;
  }

  long offset() {
    return offset;
  }

  /** About how much memory it takes. */
  int bytes() {
    return bytes;
  }

  /** What waits for it if it is to be retried: the messages of its order, or only itself. */
  Object strand() {
    return order == null ? this : order;
  }

  ConsumerRecord<byte[], byte[]> record() {
    return Objects.requireNonNull(record, "the record of a slot that is done");
  }

  /** What to give to the consumer. */
  Attempt attempt() {
    return new Attempt(Messages.received(record()), order, attempt);
  }

  void countAttempt() {
    attempt++;
  }

  /** The letter to be sent, after the consumer has given up. */
  @Nullable DeadLetter letter() {
    return letter;
  }

  void giveUp(DeadLetter lastWords) {
    letter = lastWords;
  }

  /** Nothing more is to be done, so the offset may be committed as far as this slot goes. */
  void done() {
    record = null;
    letter = null;
    done = true;
    partition.slotDone(this);
  }

  boolean isDone() {
    return done;
  }

  @Override
  public String toString() {
    return partition.name() + "@" + offset;
  }
}
