package dev.postcommit.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.fixture.SentStatements;
import dev.postcommit.store.Claim;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.Samples;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How long the dedupe keys of a log last. */
class LogDedupeKeysIT extends LayoutFixture {
  private static final Duration OLD = Duration.ofDays(30);
  private static final Duration LATER = Duration.ofHours(1);

  LogDedupeKeysIT() {
    super(Samples.LOG);
  }

  /** Writes an event with this dedupe key unless there is one; returns the id of the one there. */
  private String write(String dedupeKey) {
    return enqueue(event("k").dedupeKey(dedupeKey).json("{}").build()).get(0);
  }

  /** Makes all keys a month old that are there, and all that is delivered beside the log. */
  private void age() {
    execute("UPDATE postcommit_log_dedupe SET created_at = created_at - interval '31 days'");
    execute("UPDATE postcommit_log_diverted SET delivered_at = delivered_at - interval '31 days'");
  }

  private void prune() {
    admin().prune(OLD, 2);
  }

  private List<String> keys() {
    List<String> keys = new ArrayList<>();
    query("SELECT dedupe_key FROM postcommit_log_dedupe ORDER BY dedupe_key", keys::add);
    return keys;
  }

  private static void deliver(OutboxStore store, Claim claim) {
    store.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
  }

  @Test
  @DisplayName("R46: the key of an event that is not delivered is kept, however old it is")
  void theKeyOfAPendingEventIsKept() {
    String first = write("once");
    age();
    prune();
    assertThat(write("once")).as("the event that is written already").isEqualTo(first);

    OutboxStore store = store();
    deliver(store, store.claim(upTo(9)));
    prune();

    assertThat(keys()).isEmpty();
    assertThat(write("once")).isNotEqualTo(first);
  }

  @Test
  @DisplayName("R46: of a window that is delivered in part no key goes before the window does")
  void theKeysOfAPartOfAWindow() {
    List<String> ids = IntStream.range(0, 4).mapToObj(i -> write("w" + i)).toList();
    age();
    OutboxStore store = store();
    Claim claim = store.claim(upTo(2));
    deliver(store, claim);
    prune();
    assertThat(keys()).contains("w2", "w3");
    assertThat(write("w3")).isEqualTo(ids.get(3));

    deliver(store, store.claim(upTo(9)));
    prune();
    assertThat(keys()).isEmpty();
  }

  @Test
  @DisplayName("R46: the key of an event of a transaction that commits late is kept")
  void theKeyOfALateCommit() throws SQLException {
    OutboxStore store = store();
    try (Connection tx = dataSource().getConnection()) {
      tx.setAutoCommit(false);
      Event late = event("s").dedupeKey("late").json("{}").build();
      outbox().enqueue(tx, late);
      write("early");
      deliver(store, store.claim(upTo(9)));
      tx.commit();
      tx.setAutoCommit(true);
      age();
      prune();
      assertThat(keys()).containsExactly("late");

      Claim claim = claimSoon(store);
      assertThat(ids(claim)).containsExactly(late.id().toString());
      deliver(store, claim);
    }
    prune();
    assertThat(keys()).isEmpty();
  }

  @Test
  @DisplayName("R46: the key of an event beside the log lasts as long as its row")
  void theKeyOfADivertedEventIsKept() {
    OutboxStore store = store();
    String failed = write("failed");
    Claim claim = store.claim(upTo(9));
    store.settle(claim, List.of(new Outcome.Retry(failed, "not now", LATER)));
    Event timed =
        event("t").dedupeKey("timed").json("{}").availableAt(Instant.now().plus(LATER)).build();
    enqueue(timed);
    age();
    prune();
    assertThat(keys()).containsExactly("failed", "timed");
    assertThat(write("failed")).isEqualTo(failed);
    assertThat(write("timed")).isEqualTo(timed.id().toString());

    execute("UPDATE postcommit_log_diverted SET due_at = now() - interval '1 s'");
    for (int i = 0; i < 2; i++) {
      deliver(store, claimSoon(store));
      if (admin().status().pending() == 0) {
        break;
      }
    }
    assertThat(admin().status().pending()).isZero();
    prune();
    assertThat(keys()).as("as long as the rows are there").containsExactly("failed", "timed");
    age();
    prune();
    assertThat(keys()).isEmpty();
  }

  @Test
  @DisplayName("R46: the key of a dead event is kept until it is discarded; others go meanwhile")
  void theKeyOfADeadEventIsKept() {
    OutboxStore store = store();
    List<String> dead = IntStream.range(0, 5).mapToObj(i -> write("dead" + i)).toList();
    Claim claim = store.claim(upTo(9));
    store.settle(claim, dead.stream().map(id -> new Outcome.Dead(id, "no")).toList());
    write("delivered");
    deliver(store, store.claim(upTo(9)));
    age();
    prune();
    assertThat(keys()).containsExactly("dead0", "dead1", "dead2", "dead3", "dead4");

    admin().discard(DeadFilter.all(), new Decision("ada", "a test"));
    prune();
    assertThat(keys()).isEmpty();
  }

  @Test
  @DisplayName("R46: keys that are not old are kept, whether or not their events are delivered")
  void theKeyOfAYoungEventIsKept() {
    OutboxStore store = store();
    String first = write("young");
    deliver(store, store.claim(upTo(9)));
    prune();

    assertThat(write("young")).isEqualTo(first);
  }

  @Test
  @DisplayName("R46: many old keys of events that are not delivered are not looked at one by one")
  void manyKeysThatAreKeptCostLittle() {
    transaction(
        tx ->
            outbox()
                .enqueueAll(
                    tx,
                    IntStream.range(0, 500)
                        .mapToObj(i -> event("k").dedupeKey("m" + i).json("{}").build())
                        .toList()));
    execute(
        "UPDATE postcommit_log_dedupe"
            + " SET created_at = now() - interval '31 days' + random() * interval '1 h'");
    List<String> statements = new ArrayList<>();

    OutboxAdmin.of(SentStatements.of(dataSource(), statements), layout()).prune(OLD, 10);

    assertThat(keys()).hasSize(500);
    List<String> pages =
        statements.stream().filter(sql -> sql.contains("postcommit_log_dedupe")).toList();
    assertThat(pages).as("pages of keys").hasSize(1);
    assertThat(plan(pages.get(0)))
        .contains("Index Scan using postcommit_log_dedupe_age")
        .contains("Index Scan using postcommit_log_0_xid_idx")
        .doesNotContain("Sort", "Bitmap", "Hash");
  }

  /** How the first page is found in tables that the planner knows nothing of. */
  private String plan(String page) {
    StringBuilder plan = new StringBuilder();
    String[] sent = page.split(";\n");
    String read = sent[2];
    for (String value : List.of("'-infinity'", String.valueOf(OLD.toMillis()), "10")) {
      read = read.replaceFirst("\\?", value);
    }
    String explain = "EXPLAIN (COSTS OFF) " + read;
    transaction(
        tx -> {
          try (Statement statement = tx.createStatement()) {
            statement.execute(sent[1]);
            try (ResultSet lines = statement.executeQuery(explain)) {
              while (lines.next()) {
                plan.append(lines.getString(1)).append('\n');
              }
            }
          }
        });
    return plan.toString();
  }
}
