package dev.postcommit.kafka.consumer;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.spi.DeadLetterSink;
import dev.postcommit.consumer.spi.WorkerPool;
import dev.postcommit.consumer.spi.WorkerSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Dispatches records to workers. A record goes to the worker that got the earlier ones of its
 * partition or key, even if those belong to an assignment that has ended and are still being
 * handled. So records of one ordering key are never handled at the same time within a process.
 *
 * <p>For use by the poll thread, except for starting, stopping and waiting.
 */
final class RecordDispatcher extends WorkerPool<FetchedRecord> {
  private final ConsumerOrder order;
  private final Map<TopicPartition, Integer> workerOf = new HashMap<>();

  RecordDispatcher(
      String name,
      WorkerSettings settings,
      ConsumerOrder order,
      EventConsumer consumer,
      DeadLetterSink<FetchedRecord> deadLetters) {
    super(name, settings, consumer, deadLetters);
    this.order = order;
  }

  /** Has the fetched records of a partition handled. */
  void dispatch(AssignedPartition partition, List<ConsumerRecord<byte[], byte[]>> records) {
    Map<Integer, List<FetchedRecord>> byWorker = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      byWorker
          .computeIfAbsent(worker(partition, record), unused -> new ArrayList<>())
          .add(partition.add(record, orderingKey(partition, record)));
    }
    byWorker.forEach(this::give);
  }

  private @Nullable Object orderingKey(
      AssignedPartition partition, ConsumerRecord<byte[], byte[]> record) {
    if (order == ConsumerOrder.PARTITION) {
      return partition;
    }
    @Nullable String key = ReceivedRecords.key(record);
    return key == null ? null : new KeyOfPartition(partition, key);
  }

  private int worker(AssignedPartition partition, ConsumerRecord<byte[], byte[]> record) {
    if (size() == 1) {
      return 0;
    }
    if (order == ConsumerOrder.PARTITION) {
      return workerOf.computeIfAbsent(partition.name(), unused -> leastUsed());
    }
    @Nullable String key = ReceivedRecords.key(record);
    int hash = key == null ? Long.hashCode(record.offset()) : key.hashCode();
    return workerFor(31 * hash + partition.name().hashCode());
  }

  private int leastUsed() {
    int[] used = new int[size()];
    workerOf.values().forEach(worker -> used[worker]++);
    int least = 0;
    for (int worker = 1; worker < used.length; worker++) {
      least = used[worker] < used[least] ? worker : least;
    }
    return least;
  }

  /** Forgets the records of a partition that wait. */
  void drop(AssignedPartition partition) {
    drop(record -> record.partition() == partition);
  }

  /** Frees the worker of a partition of which nothing waits any more. */
  void release(AssignedPartition partition) {
    if (partition.isIdle()) {
      workerOf.remove(partition.name());
    }
  }

  private record KeyOfPartition(AssignedPartition partition, String key) {}
}
