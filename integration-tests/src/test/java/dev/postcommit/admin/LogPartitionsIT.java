package dev.postcommit.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.Samples;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LogPartitionsIT extends LayoutFixture {
  private static final Duration OLD = Duration.ofDays(30);

  LogPartitionsIT() {
    super(Samples.LOG);
  }

  /** As the migration leaves them, but for numbers that were given out. */
  @BeforeEach
  void firstPartitionOnly() {
    for (String partition : partitions()) {
      if (!partition.endsWith("_0") && !partition.endsWith("_rest")) {
        execute("DROP TABLE " + partition);
      }
    }
    if (!partitions().contains("postcommit_log_0")) {
      execute(
          "CREATE TABLE postcommit_log_0 PARTITION OF postcommit_log"
              + " FOR VALUES FROM (MINVALUE) TO (10000000)");
    }
    execute("UPDATE postcommit_log_cursor SET floor = 0, seen = '1:1:', upto = NULL, position = 0");
    giveOut(1);
  }

  @Test
  @DisplayName("the next partition is there when half of the last is used up, and takes its rows")
  void theNextPartitionIsThereInTime() {
    OutboxStore store = store();
    deliver(store, enqueue("a", 1));
    assertThat(partitions()).containsExactly("postcommit_log_0", "postcommit_log_rest");
    giveOut(5_000_001);

    deliver(store, enqueue("a", 1));
    deliver(store, enqueue("a", 1));

    awaitUntil(() -> partitions().contains("postcommit_log_1"));
    assertThat(partitions())
        .containsExactly("postcommit_log_0", "postcommit_log_1", "postcommit_log_rest");
    giveOut(10_000_000);
    deliver(store, enqueue("a", 2));
    assertThat(rowsIn("postcommit_log_1")).isEqualTo(2);
    assertThat(rowsIn("postcommit_log_rest")).isZero();
  }

  @Test
  @DisplayName("R1: rows beyond all partitions are taken and delivered, and not in the way")
  void rowsBeyondAllPartitionsAreTaken() {
    giveOut(25_000_000);
    List<String> ids = enqueue("a", 3);
    assertThat(rowsIn("postcommit_log_rest")).isEqualTo(3);

    OutboxStore store = store();
    deliver(store, ids);

    awaitUntil(() -> partitions().contains("postcommit_log_4"));
    deliver(store, enqueue("a", 1));
    assertThat(rowsIn("postcommit_log_rest")).isEqualTo(4);
    giveOut(40_000_000);
    deliver(store, enqueue("a", 1));
    assertThat(rowsIn("postcommit_log_4")).isEqualTo(1);
  }

  @Test
  @DisplayName("R46: a partition is dropped once all its rows are delivered and old, not before")
  void anOldPartitionIsDropped() {
    OutboxStore store = store();
    deliver(store, enqueue("a", 3));
    giveOut(9_999_990);
    deliver(store, enqueue("a", 1));
    String waiting = enqueue("a", 1).get(0);
    giveOut(10_000_000);
    enqueue("b", 1);
    execute("UPDATE postcommit_log_0 SET created_at = now() - interval '31 days'");

    assertThat(admin().prune(OLD, 100)).isZero();
    assertThat(partitions()).contains("postcommit_log_0");

    assertThat(deliverAll(store)).contains(waiting);
    deliver(store, enqueue("c", 1));
    deliver(store, enqueue("c", 1));
    assertThat(admin().prune(OLD, 100)).isEqualTo(5);
    assertThat(partitions()).doesNotContain("postcommit_log_0");
    assertThat(rows()).isZero();
  }

  @Test
  @DisplayName("R46: a partition whose rows were deleted one by one is dropped too")
  void anEmptiedPartitionIsDropped() {
    OutboxStore store = store();
    deliver(store, enqueue("a", 3));
    giveOut(10_000_000);
    deliver(store, enqueue("b", 1));
    deliver(store, enqueue("b", 1));
    execute("DELETE FROM postcommit_log_0");

    admin().prune(OLD, 100);

    assertThat(partitions()).doesNotContain("postcommit_log_0");
  }

  @Test
  @DisplayName("R46: who writes to a partition keeps it, and writers hardly wait for the attempt")
  void whoWritesToAPartitionKeepsIt() throws SQLException {
    OutboxStore store = store();
    deliver(store, enqueue("a", 1));
    giveOut(9_999_998);
    try (Connection writer = dataSource().getConnection()) {
      writer.setAutoCommit(false);
      String late = outbox().enqueue(writer, small("late")).id().toString();
      deliver(store, enqueue("b", 1));
      giveOut(10_000_000);
      deliver(store, enqueue("c", 1));
      execute("UPDATE postcommit_log SET created_at = now() - interval '31 days'");

      long startedAt = System.nanoTime();
      admin().prune(OLD, 100);
      enqueue("d", 1);

      assertThat(Duration.ofNanos(System.nanoTime() - startedAt)).isLessThan(Duration.ofSeconds(5));
      assertThat(partitions()).contains("postcommit_log_0");
      writer.commit();
      awaitUntil(() -> deliverAll(store).contains(late));
    }
    assertThat(admin().status().pending()).isZero();
  }

  @Test
  @DisplayName("R1, R46: a partition that an operator attached stops nothing, whatever its name")
  void aPartitionOfAnOddNameStopsNothing() {
    execute("CREATE SCHEMA \"an archive\"");
    execute(
        "CREATE TABLE \"an archive\".\"log of 2026-11; old\" PARTITION OF postcommit_log"
            + " FOR VALUES FROM (10000000) TO (20000000)");
    execute(
        "CREATE TABLE \"an archive\".\"the \"\"far\"\" end\" PARTITION OF postcommit_log"
            + " FOR VALUES FROM (90000000) TO (MAXVALUE)");
    try {
      OutboxStore store = store();
      deliver(store, enqueue("a", 2));
      giveOut(10_000_000);
      deliver(store, enqueue("a", 2));
      giveOut(20_000_000);
      deliver(store, enqueue("a", 1));
      deliver(store, enqueue("a", 1));
      execute("UPDATE postcommit_log SET created_at = now() - interval '40 days'");

      awaitUntil(() -> partitions().contains("postcommit_log_4"));
      admin().prune(OLD, 100);

      assertThat(rowsIn("postcommit_log")).isZero();
      assertThat(partitions())
          .as("what is not ours is emptied and left")
          .contains(
              "\"an archive\".\"log of 2026-11; old\"", "\"an archive\".\"the \"\"far\"\" end\"")
          .doesNotContain("postcommit_log_0");
    } finally {
      execute("DROP SCHEMA \"an archive\" CASCADE");
    }
  }

  /** Makes the next row have this number. */
  private void giveOut(long number) {
    query("SELECT setval('postcommit_log_seq', " + number + ", false)", value -> {});
  }

  private void deliver(OutboxStore store, List<String> ids) {
    assertThat(deliverAll(store)).isEqualTo(ids);
  }

  private static List<String> deliverAll(OutboxStore store) {
    Claim claim = store.claim(upTo(100));
    store.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
    return ids(claim);
  }

  private List<String> partitions() {
    List<String> names = new ArrayList<>();
    query(
        """
        SELECT inhrelid::regclass::text FROM pg_inherits
        WHERE inhparent = 'postcommit_log'::regclass ORDER BY 1""",
        names::add);
    return names;
  }

  private long rowsIn(String partition) {
    long[] rows = new long[1];
    query("SELECT count(*) FROM " + partition, value -> rows[0] = Long.parseLong(value));
    return rows[0];
  }
}
