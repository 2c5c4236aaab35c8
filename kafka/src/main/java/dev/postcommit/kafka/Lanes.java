package dev.postcommit.kafka;

import dev.postcommit.consumer.internal.Lane;
import dev.postcommit.consumer.internal.LaneGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of a consumer, and which messages go to which. Messages go to the lane to which earlier
 * ones of their strand went, even if those were of an assignment that has ended and are still being
 * handled. So the messages of a strand are never handled at the same time within a process.
 *
 * <p>For use by the poll thread, but for starting, stopping and waiting.
 */
final class Lanes extends LaneGroup<RecordSlot> {
  private final ConsumerOrder order;
  private final Map<TopicPartition, Integer> laneOf = new HashMap<>();

  Lanes(int count, ConsumerOrder order, IntFunction<Lane<RecordSlot>> lane) {
    super(count, lane);
    this.order = order;
  }

  /** Has the fetched records of a partition handled. */
  void give(AssignedPartition partition, List<ConsumerRecord<byte[], byte[]>> records) {
    Map<Integer, List<RecordSlot>> slots = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      @Nullable Object strand = strand(partition, record);
      int lane = lane(partition, record);
      slots.computeIfAbsent(lane, unused -> new ArrayList<>()).add(partition.add(record, strand));
    }
    slots.forEach((lane, ofLane) -> lanes().get(lane).add(ofLane));
  }

  private @Nullable Object strand(
      AssignedPartition partition, ConsumerRecord<byte[], byte[]> record) {
    if (order == ConsumerOrder.PARTITION) {
      return partition;
    }
    @Nullable String key = Messages.key(record);
    return key == null ? null : new KeyOfPartition(partition, key);
  }

  private int lane(AssignedPartition partition, ConsumerRecord<byte[], byte[]> record) {
    if (lanes().size() == 1) {
      return 0;
    }
    if (order == ConsumerOrder.PARTITION) {
      return laneOf.computeIfAbsent(partition.name(), unused -> leastUsed());
    }
    @Nullable String key = Messages.key(record);
    int hash = key == null ? Long.hashCode(record.offset()) : key.hashCode();
    hash = 31 * hash + partition.name().hashCode();
    return Math.floorMod(hash ^ (hash >>> 16), lanes().size());
  }

  private int leastUsed() {
    int[] used = new int[lanes().size()];
    laneOf.values().forEach(lane -> used[lane]++);
    int least = 0;
    for (int lane = 1; lane < used.length; lane++) {
      least = used[lane] < used[least] ? lane : least;
    }
    return least;
  }

  /** Forgets what waits of a partition. */
  void drop(AssignedPartition partition) {
    lanes().forEach(lane -> lane.drop(slot -> slot.partition() == partition));
  }

  /** Nothing of a partition waits any more. */
  void release(AssignedPartition partition) {
    if (partition.isIdle()) {
      laneOf.remove(partition.name());
    }
  }

  private record KeyOfPartition(AssignedPartition partition, String key) {}
}
