package dev.postcommit.kafka.consumer;

import dev.postcommit.consumer.message.ReceivedMessage;
import dev.postcommit.consumer.spi.FetchedMessage;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** A fetched record, and its position in the progress of its partition. */
final class FetchedRecord extends FetchedMessage {
  /** The approximate memory of a record besides its bytes. */
  private static final int OVERHEAD = 200;

  private final AssignedPartition partition;
  private final long offset;
  private final int bytes;
  private @Nullable ConsumerRecord<byte[], byte[]> record;

  FetchedRecord(
      AssignedPartition partition,
      ConsumerRecord<byte[], byte[]> record,
      @Nullable Object orderingKey) {
    super(orderingKey);
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
    return Objects.requireNonNull(record, "the record of a message that is done");
  }

  @Override
  protected ReceivedMessage message() {
    return ReceivedRecords.message(record());
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

  /** The record no longer keeps its offset from being committed. */
  @Override
  protected void acknowledge() {
    record = null;
    partition.recordDone(this);
  }

  @Override
  public String toString() {
    return partition.name() + "@" + offset;
  }
}
