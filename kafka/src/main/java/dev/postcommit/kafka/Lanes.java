package dev.postcommit.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
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
final class Lanes {
  private final List<Lane> lanes;
  private final ConsumerOrder order;
  private final Map<TopicPartition, Integer> laneOf = new HashMap<>();

  Lanes(int count, ConsumerOrder order, IntFunction<Lane> lane) {
    this.lanes = IntStream.range(0, count).mapToObj(lane).toList();
    this.order = order;
  }

  void start() {
    lanes.forEach(Lane::start);
  }

  /** Has the fetched records of a partition handled. */
  void give(AssignedPartition partition, List<ConsumerRecord<byte[], byte[]>> records) {
    Map<Integer, List<Slot>> slots = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      @Nullable Object strand = strand(partition, record);
      int lane = lane(partition, record);
      slots.computeIfAbsent(lane, unused -> new ArrayList<>()).add(partition.add(record, strand));
    }
    slots.forEach((lane, ofLane) -> lanes.get(lane).add(ofLane));
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
    if (lanes.size() == 1) {
      return 0;
    }
    if (order == ConsumerOrder.PARTITION) {
      return laneOf.computeIfAbsent(partition.name(), unused -> leastUsed());
    }
    @Nullable String key = Messages.key(record);
    int hash = key == null ? Long.hashCode(record.offset()) : key.hashCode();
    hash = 31 * hash + partition.name().hashCode();
    return Math.floorMod(hash ^ (hash >>> 16), lanes.size());
  }

  private int leastUsed() {
    int[] used = new int[lanes.size()];
    laneOf.values().forEach(lane -> used[lane]++);
    int least = 0;
    for (int lane = 1; lane < used.length; lane++) {
      least = used[lane] < used[least] ? lane : least;
    }
    return least;
  }

  /** Forgets what waits of a partition. */
  void drop(AssignedPartition partition) {
    lanes.forEach(lane -> lane.drop(partition));
  }

  /** Nothing of a partition waits any more. */
  void release(AssignedPartition partition) {
    if (partition.isIdle()) {
      laneOf.remove(partition.name());
    }
  }

  /** Begins nothing more. */
  void stop() {
    lanes.forEach(Lane::stop);
  }

  /** Whether all have ended, after they were stopped. */
  boolean haveEnded() {
    return lanes.stream().noneMatch(lane -> lane.thread().isAlive());
  }

  /** Waits until all have ended, after they were stopped. */
  boolean awaitEnd(Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    for (Lane lane : lanes) {
      lane.thread().join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
    }
    return haveEnded();
  }

  /** Interrupts handlers that do not end. */
  void interrupt() {
    lanes.forEach(lane -> lane.thread().interrupt());
  }

  private record KeyOfPartition(AssignedPartition partition, String key) {}
}
