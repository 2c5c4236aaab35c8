package dev.postcommit.kafka;

import dev.postcommit.consumer.ReceivedMessage;
import dev.postcommit.consumer.internal.Slot;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** A fetched record on its way through a lane, and its place in the progress of its partition. */
final class RecordSlot extends Slot {
  /** What a record takes beside its bytes, roughly. */
  private static final int OVERHEAD = 200;

  private final AssignedPartition partition;
  private final long offset;
  private final int bytes;
  private @Nullable ConsumerRecord<byte[], byte[]> record;

  RecordSlot(
      AssignedPartition partition, ConsumerRecord<byte[], byte[]> record, @Nullable Object order) {
    super(order);
    this.partition = partition;
    this.offset = record.offset();
    this.record = record;
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

  ConsumerRecord<byte[], byte[]> record() {
    return Objects.requireNonNull(record, "the record of a slot that is done");
  }

  @Override
  protected ReceivedMessage message() {
    return Messages.received(record());
  }

  @Override
  protected boolean begin() {
    return partition.begin();
  }

  @Override
  protected void finish() {
    partition.finish();
  }

  @Override
  protected boolean isAbandoned() {
    return partition.isEnded();
  }

  /** The offset may be committed as far as this slot goes. */
  @Override
  protected void acknowledge() {
    record = null;
    partition.slotDone(this);
  }

  @Override
  public String toString() {
    return partition.name() + "@" + offset;
  }
}
