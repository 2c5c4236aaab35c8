package dev.postcommit.store.claimed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.fixture.SentPlan;
import dev.postcommit.fixture.SentStatements;
import dev.postcommit.internal.factory.Stores;
import dev.postcommit.internal.store.RelayStore;
import dev.postcommit.internal.store.RelayStore.Taken;
import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.Outcome;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.Samples;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is done beside a log, and by whom, because one key has very many rows. */
class HotKeyCostIT extends LayoutFixture {
  private static final int BATCH = 50;
  private static final String READ_AGAIN = "WITH ORDINALITY AS p(seq, n)";

  private final Set<Thread> claiming = ConcurrentHashMap.newKeySet();

  HotKeyCostIT() {
    super(Samples.LOG);
  }

  @Test
  @DisplayName("R6, R40: claims of other keys do not read the rows of a busy key again")
  void claimsDoNotReadTheRowsOfABusyKeyAgain() {
    Queue<Thread> readers = new ConcurrentLinkedQueue<>();
    RelayStore store =
        sending(
            sql -> {
              if (sql.contains(READ_AGAIN)) {
                readers.add(Thread.currentThread());
              }
              return sql;
            });
    write("postcommit_log", "busy", 2_000);
    Claim busy = store.claim(upTo(BATCH));
    awaitOther(store);
    for (int i = 0; i < 2; i++) {
      deliver(store, busy);
      busy = store.claim(upTo(BATCH));
      assertThat(busy.events()).as("of the busy key, what was kept").hasSize(BATCH);
    }
    readers.clear();

    awaitUntil(
        () -> {
          awaitOther(store);
          return !readers.isEmpty();
        });
    assertThat(readers).doesNotContainAnyElementsOf(claiming);
    deliver(store, busy);
    store.close();
  }

  @Test
  @DisplayName("R6, R40: what waits for its own busy key is no reason to look, until that is free")
  void claimsOfOtherKeysAreNoReasonToLookForABusyOne() {
    RelayStore store = Stores.open(dataSource(), layout(), UUID.randomUUID());
    write("postcommit_log", "busy", 2_000);
    Claim busy = store.claim(upTo(BATCH));
    awaitOther(store);
    awaitUntil(
        () -> {
          enqueue("other", 1);
          Taken taken = store.take(upTo(BATCH));
          Claim other = taken.read();
          deliver(store, other);
          assertThat(store.frees(other)).isFalse();
          return taken.size() == 1 && !taken.leavesSome();
        });

    deliver(store, busy);
    assertThat(store.frees(busy)).isTrue();
    store.close();
  }

  @Test
  @DisplayName("R6, R40: to go past rows of a stuck key, what it waits for is not asked for each")
  void rowsOfAStuckKeyAreGonePastWithoutALookUpForEach() {
    int rows = 20_000;
    write("postcommit_log_diverted", "hot", 1);
    execute(
        "UPDATE postcommit_log_diverted SET due_at = now() + interval '1 hour', attempts = 1, last_error = 'no'");
    write("postcommit_log_diverted", "hot", rows);
    write("postcommit_log_diverted", "behind", 1);
    execute("VACUUM (ANALYZE) postcommit_log_diverted");
    RelayStore store =
        sending(
            sql -> sql.endsWith(";\nCOMMIT") ? sql + ";\nSELECT pg_stat_force_next_flush()" : sql);

    await(store, "behind");
    store.close();
    // The first looks come before it is known that they are of one key.
    assertThat(lookUpsOfTried()).isBetween(1L, rows / 2L);
  }

  @Test
  @DisplayName("R6, R40: diverted events that wait are not read to find delivered ones to delete")
  void waitingEventsAreNotReadToPrune() throws SQLException {
    write("postcommit_log_diverted", "hot", 20_000);
    execute("VACUUM (ANALYZE) postcommit_log_diverted");
    List<String> statements = new ArrayList<>();
    OutboxAdmin.of(SentStatements.of(dataSource(), statements), layout())
        .prune(Duration.ofDays(1), 1_000);

    String[] sent =
        statements.stream()
            .filter(sql -> sql.contains("DELETE FROM \"postcommit_log_diverted\""))
            .findFirst()
            .orElseThrow()
            .split(Pattern.quote(";\n"));
    try (Connection tx = dataSource().getConnection()) {
      tx.setAutoCommit(false);
      tx.createStatement().execute(sent[1]);
      assertThat(SentPlan.of(tx, "COSTS OFF", sent[2], "1", "1")).doesNotContain("Seq Scan");
      tx.rollback();
    }
  }

  private RelayStore sending(UnaryOperator<String> statements) {
    return Stores.open(
        SentStatements.rewriting(dataSource(), statements), layout(), UUID.randomUUID());
  }

  private void write(String table, String key, int rows) {
    execute(
        """
        INSERT INTO %s (id, topic, type, key, payload)
        SELECT gen_random_uuid(), 't', 't', '%s', '\\x7b7d' FROM generate_series(1, %d)"""
            .formatted(table, key, rows));
  }

  private void awaitOther(RelayStore store) {
    enqueue("other", 1);
    await(store, "other");
  }

  /** Claims until an event of a key comes. */
  private void await(RelayStore store, String key) {
    awaitUntil(
        () -> {
          claiming.add(Thread.currentThread());
          Claim claim = store.claim(upTo(BATCH));
          deliver(store, claim);
          return claim.events().stream().anyMatch(event -> key.equals(event.key()));
        });
  }

  private static void deliver(RelayStore store, Claim claim) {
    store.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
  }

  private long lookUpsOfTried() {
    String[] scans = new String[1];
    query(
        "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'postcommit_log_diverted_tried'",
        value -> scans[0] = value);
    return Long.parseLong(scans[0]);
  }
}
