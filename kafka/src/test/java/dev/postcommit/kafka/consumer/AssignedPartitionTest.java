package dev.postcommit.kafka.consumer;

import static dev.postcommit.kafka.consumer.Records.record;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AssignedPartitionTest {
  private final AssignedPartition partition = new AssignedPartition(Records.PARTITION);

  private FetchedRecord add(long offset) {
    return partition.add(record(offset, "key"), partition);
  }

  @Test
  @DisplayName("no offset is committed beyond a record that is not done")
  void progressEndsAtTheFirstRecordThatIsNotDone() {
    FetchedRecord first = add(10);
    FetchedRecord second = add(11);
    FetchedRecord third = add(12);
    partition.fetchedTo(new OffsetAndMetadata(13));

    second.done();
    assertThat(partition.progress()).isEqualTo(new OffsetAndMetadata(10));
    first.done();
    assertThat(partition.progress()).isEqualTo(new OffsetAndMetadata(12));
    third.done();
    assertThat(partition.progress()).isEqualTo(new OffsetAndMetadata(13));
  }

  @Test
  void offsetsWithoutRecordsArePassed() {
    FetchedRecord first = add(10);
    FetchedRecord afterGap = add(20);
    partition.fetchedTo(new OffsetAndMetadata(25));

    first.done();
    assertThat(partition.progress()).isEqualTo(new OffsetAndMetadata(20));
    afterGap.done();
    assertThat(partition.progress()).isEqualTo(new OffsetAndMetadata(25));
  }

  @Test
  void whatIsCommittedIsNoProgress() {
    assertThat(partition.progress()).isNull();
    FetchedRecord only = add(10);
    partition.fetchedTo(new OffsetAndMetadata(11));
    partition.committed(new OffsetAndMetadata(10));
    assertThat(partition.progress()).isNull();
    only.done();
    partition.committed(new OffsetAndMetadata(11));
    assertThat(partition.progress()).isNull();
  }

  @Test
  void isFullByCountAndByBytes() {
    FetchedRecord first = add(10);
    add(11);
    assertThat(partition.undone()).isEqualTo(2);
    assertThat(partition.isFull(2, Long.MAX_VALUE)).isTrue();
    assertThat(partition.isFull(3, Long.MAX_VALUE)).isFalse();
    assertThat(partition.isFull(3, 2L * first.bytes())).isTrue();
    first.done();
    assertThat(partition.isFull(2, 2L * first.bytes())).isFalse();
  }

  @Test
  void isFullIfOneRecordKeepsManyFromBeingCommitted() {
    add(0);
    for (int offset = 1; offset < 100_000; offset++) {
      add(offset).done();
    }
    assertThat(partition.undone()).isEqualTo(1);
    assertThat(partition.isFull(1_000, Long.MAX_VALUE)).isTrue();
  }

  @Test
  void beginsNothingAfterItsEnd() throws InterruptedException {
    assertThat(partition.begin()).isTrue();
    partition.end();
    assertThat(partition.begin()).isFalse();
    assertThat(partition.awaitIdle(Duration.ofMillis(1))).isFalse();
    partition.finish();
    assertThat(partition.awaitIdle(Duration.ZERO)).isTrue();
  }
}
