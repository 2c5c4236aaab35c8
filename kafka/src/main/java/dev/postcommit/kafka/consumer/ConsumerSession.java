package dev.postcommit.kafka.consumer;

import dev.postcommit.support.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One Kafka consumer and the partitions that are assigned to it. For use by the poll thread, except
 * for {@link #undone}.
 */
final class ConsumerSession implements ConsumerRebalanceListener {
  private static final Logger log = LoggerFactory.getLogger(ConsumerSession.class);

  private static final Duration IDLE = Duration.ofMillis(200);
  private static final Duration BUSY = Duration.ofMillis(20);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  /** The memory for records that were fetched and are not done, shared by the partitions. */
  private static final long BYTES = 64L * 1024 * 1024;

  private final Consumer<byte[], byte[]> consumer;
  private final RecordDispatcher workers;
  private final int mostRecords;
  private final OffsetCommits commits;
  private final AnswerWatch answers;
  private final LagEstimate lag;
  private final Map<TopicPartition, AssignedPartition> assigned = new ConcurrentHashMap<>();
  private Duration patience;
  private boolean uncommitted;
  private Optional<TimeoutException> silence = Optional.empty();

  /**
   * A session of a consumer that is not subscribed yet.
   *
   * @param mostRecords how many records of a partition may wait
   * @param patience how long a partition that is revoked may wait for its handlers
   * @param answers notices that Kafka is silent
   */
  ConsumerSession(
      Consumer<byte[], byte[]> consumer,
      RecordDispatcher workers,
      int mostRecords,
      Duration patience,
      AnswerWatch answers) {
    this.consumer = consumer;
    this.workers = workers;
    this.mostRecords = mostRecords;
    this.patience = patience;
    this.commits = new OffsetCommits(consumer);
    this.answers = answers;
    this.lag = new LagEstimate(consumer, System.nanoTime());
  }

  /** Fetches records, dispatches them to the workers, and commits what these have done. */
  void poll() {
    ConsumerRecords<byte[], byte[]> records =
        consumer.poll(uncommitted || undone() > 0 ? BUSY : IDLE);
    for (TopicPartition name : records.partitions()) {
      AssignedPartition partition = Objects.requireNonNull(assigned.get(name), name::toString);
      workers.dispatch(partition, records.records(name));
    }
    records.nextOffsets().forEach((name, next) -> fetchedTo(assigned.get(name), next));
    regulate();
    uncommitted = commits.begin(assigned.values());
    silence = answers.problem(!consumer.paused().containsAll(assigned.keySet()));
    // A member may be assigned nothing; who is no member yet has nothing assigned either.
    boolean joined = consumer.groupMetadata().generationId() >= 0;
    if (joined && silence.isEmpty()) {
      lag.measure(assigned.keySet(), System.nanoTime());
    } else {
      lag.forget();
    }
  }

  /** What the client does not report: that Kafka had not answered for a while at the last poll. */
  Optional<TimeoutException> silence() {
    return silence;
  }

  /** Whether Kafka has ever answered in this session. */
  boolean hasHadAnswer() {
    return answers.hasHadAnswer();
  }

  private static void fetchedTo(@Nullable AssignedPartition partition, OffsetAndMetadata next) {
    if (partition != null) {
      partition.fetchedTo(next);
    }
  }

  /** Stays a member of the group, fetches nothing, and commits what the workers have done. */
  void pollForNothing() {
    consumer.pause(assigned.keySet());
    // Partitions assigned in this very call may return records. They are not added, and no position
    // beyond them is committed, so it is as if they had never been fetched.
    consumer.poll(BUSY);
    commits.begin(assigned.values());
  }

  /** Pauses partitions that are full, and resumes them when half of their records are done. */
  private void regulate() {
    long mostBytes = BYTES / Math.max(1, assigned.size());
    Set<TopicPartition> paused = consumer.paused();
    List<TopicPartition> full = new ArrayList<>();
    List<TopicPartition> free = new ArrayList<>();
    for (AssignedPartition partition : assigned.values()) {
      if (!paused.contains(partition.name())) {
        if (partition.isFull(mostRecords, mostBytes)) {
          full.add(partition.name());
        }
      } else if (!partition.isFull(mostRecords / 2, mostBytes / 2)) {
        free.add(partition.name());
      }
    }
    if (!full.isEmpty()) {
      log.debug("paused, because enough is waiting: {}", full);
      consumer.pause(full);
    }
    if (!free.isEmpty()) {
      consumer.resume(free);
    }
  }

  /** How many fetched records are not done. */
  int undone() {
    return assigned.values().stream().mapToInt(AssignedPartition::undone).sum();
  }

  /** How many records were not fetched or are not done; empty if that is not known. */
  OptionalLong lag() {
    OptionalLong unfetched = lag.unfetched();
    return unfetched.isEmpty() ? unfetched : OptionalLong.of(unfetched.getAsLong() + undone());
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    partitions.forEach(name -> assigned.put(name, new AssignedPartition(name)));
    if (!partitions.isEmpty()) {
      log.info("assigned: {}", partitions);
    }
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    List<AssignedPartition> ending = end(partitions);
    if (!ending.isEmpty()) {
      awaitIdle(ending);
      commits.finish(ending);
      ending.forEach(workers::release);
      log.info("revoked: {}", ending);
    }
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    List<AssignedPartition> lost = end(partitions);
    if (!lost.isEmpty()) {
      lost.forEach(workers::release);
      log.warn("lost, and perhaps assigned to another consumer already: {}", lost);
    }
  }

  private List<AssignedPartition> end(Collection<TopicPartition> partitions) {
    List<AssignedPartition> ending = new ArrayList<>();
    for (TopicPartition name : partitions) {
      @Nullable AssignedPartition partition = assigned.remove(name);
      if (partition != null) {
        partition.end();
        workers.drop(partition);
        ending.add(partition);
      }
    }
    return ending;
  }

  private void awaitIdle(List<AssignedPartition> partitions) {
    long deadline = System.nanoTime() + patience.toNanos();
    for (AssignedPartition partition : partitions) {
      Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
      try {
        if (!partition.awaitIdle(left) && !patience.isZero()) {
          log.warn(
              "{} is given up while a message is being handled, after {}; it comes again, and"
                  + " perhaps at the same time to another consumer",
              partition,
              DurationText.spoken(patience));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /**
   * Commits what is done and leaves the group.
   *
   * @param forHandlers how long to wait for records that are being handled
   */
  void close(Duration forHandlers) {
    patience = forHandlers;
    try {
      onPartitionsRevoked(List.copyOf(assigned.keySet()));
    } finally {
      try {
        consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT));
      } catch (KafkaException e) {
        log.debug("the Kafka consumer did not close cleanly", e);
      }
    }
  }
}
