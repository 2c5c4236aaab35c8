package dev.postcommit.store.log;

import static dev.postcommit.store.log.LogTable.LONG;
import static dev.postcommit.store.log.LogTable.drain;
import static dev.postcommit.store.log.LogTable.event;
import static dev.postcommit.store.log.LogTable.ids;
import static dev.postcommit.store.log.LogTable.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.internal.store.RelayStore;
import dev.postcommit.internal.store.RelayStore.Taken;
import dev.postcommit.store.Claim;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** When events of a log are given up, and that they stay so, if another relay takes it over. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LogDeadIT {
  private LogTable log;

  @BeforeAll
  void createTable() {
    log = LogTable.create();
  }

  @BeforeEach
  void emptyTable() {
    log.reset();
  }

  @AfterAll
  void dropTable() {
    log.close();
  }

  /** Takes the log over from a relay that is gone, before its lease ends. */
  private RelayStore takeOver() {
    log.execute(
        """
        UPDATE postcommit_log_cursor SET owner = NULL, fence = fence + 1, until = '-infinity',
          undecided_until = greatest(undecided_until, until)""");
    return log.store();
  }

  private String statusBeside(String id) {
    return log.query("SELECT status FROM postcommit_log_diverted WHERE id = '" + id + "'");
  }

  private static void fail(RelayStore store, String id) {
    Claim claim = store.claim(upTo(1));
    assertThat(ids(claim)).containsExactly(id);
    store.settle(claim, List.of(new Outcome.Retry(id, "not now", Duration.ZERO)));
  }

  /** Gives up an event that comes next, and which may have been read from the log or beside it. */
  private static void giveUp(RelayStore store, String id) {
    Claim claim = store.claim(upTo(1));
    assertThat(ids(claim)).containsExactly(id);
    store.settle(claim, List.of(new Outcome.Dead(id, "no")));
  }

  @Test
  @DisplayName("R40: a claim beside a log that was taken over knows of copies that may arrive")
  void aClaimBesideTheLogKnowsOfItsTakeOver() {
    List<String> ids = log.enqueue("a", 2);
    assertThat(ids(log.store().claim(upTo(1)))).as("sent").containsExactly(ids.get(0));
    RelayStore next = takeOver();
    fail(next, ids.get(0));

    Taken beside = next.take(upTo(9));

    assertThat(ids(beside.read())).containsExactly(ids.get(0));
    assertThat(beside.undecided()).isBetween(LONG.dividedBy(2), LONG);
  }

  @Test
  @DisplayName("R40: a last attempt beside a log that never ends kills nothing after a take-over")
  void anUnfinishedLastAttemptWaitsForTheOldLease() {
    List<String> ids = log.enqueue("a", 2);
    assertThat(ids(log.store().claim(upTo(1)))).as("sent").containsExactly(ids.get(0));
    RelayStore next = takeOver();
    fail(next, ids.get(0));
    fail(next, ids.get(0));
    assertThat(ids(next.claim(upTo(1)))).as("the last attempt").containsExactly(ids.get(0));
    endClaims();

    assertThat(ids(next.claim(upTo(1)))).containsExactly(ids.get(0));
    assertThat(statusBeside(ids.get(0))).isEqualTo("pending");

    log.execute("UPDATE postcommit_log_cursor SET undecided_until = clock_timestamp()");
    endClaims();
    assertThat(drain(next, ids.subList(1, 2))).isEqualTo(ids.subList(1, 2));
    assertThat(statusBeside(ids.get(0))).isEqualTo("dead");
  }

  private void endClaims() {
    log.execute("UPDATE postcommit_log_diverted_claim SET until = clock_timestamp()");
  }

  @Test
  @DisplayName("R40: who takes a log over leaves alone what is dead, and delivers the rest")
  void whatIsDeadStaysSo() {
    List<String> slow = log.enqueue("slow", 1);
    List<String> ids = log.enqueue("a", 2);
    String unkeyed = log.enqueueAll(List.of(event(null))).get(0);
    RelayStore store = log.store();
    assertThat(ids(store.claim(upTo(1)))).as("holds back the cursor").isEqualTo(slow);
    giveUp(store, ids.get(0));
    Claim delivered = store.claim(upTo(1));
    assertThat(ids(delivered)).containsExactly(ids.get(1));
    store.settle(delivered, List.of(new Outcome.Delivered(ids.get(1))));
    giveUp(store, unkeyed);

    RelayStore next = takeOver();
    List<String> later = log.enqueue("a", 1);

    assertThat(drain(next)).containsExactly(slow.get(0), ids.get(1), later.get(0));
    assertThat(log.admin().deadIds(DeadFilter.all(), 100))
        .containsExactlyInAnyOrder(ids.get(0), unkeyed);
    assertThat(log.number("SELECT count(*) FROM postcommit_log_diverted"))
        .as("went the other way")
        .isEqualTo(2);
    assertThat(log.admin().status().pending()).as("the cursor has passed all").isZero();
  }

  @Test
  @DisplayName("R40: what was dead when a log was taken over is delivered when it is replayed")
  void whatWasDeadIsReplayed() {
    List<String> slow = log.enqueue("slow", 1);
    List<String> ids = log.enqueue("a", 1);
    RelayStore store = log.store();
    assertThat(ids(store.claim(upTo(1)))).isEqualTo(slow);
    giveUp(store, ids.get(0));
    RelayStore next = takeOver();
    assertThat(drain(next)).isEqualTo(slow);

    log.admin().replay(DeadFilter.all(), new Decision("ada", null));

    assertThat(drain(next, ids)).isEqualTo(ids);
  }

  @Test
  @DisplayName("R1: an event with the id of a dead one is delivered all the same")
  void aTwinOfADeadEvent() {
    List<String> slow = log.enqueue("slow", 1);
    Event twin = event("a");
    String id = log.enqueueAll(List.of(twin)).get(0);
    RelayStore store = log.store();
    assertThat(ids(store.claim(upTo(1)))).isEqualTo(slow);
    giveUp(store, id);
    log.enqueueAll(List.of(twin));

    assertThat(drain(takeOver())).containsExactly(slow.get(0), id);
  }

  @Test
  @DisplayName("R40: however many events are dead, one claim goes on to what is behind them")
  void aLongRunOfDeadEvents() {
    List<String> slow = log.enqueue("slow", 1);
    List<String> dead = log.enqueueAll(Stream.generate(() -> event(null)).limit(20).toList());
    List<String> behind = log.enqueue("a", 1);
    RelayStore store = log.store();
    assertThat(ids(store.claim(upTo(1)))).isEqualTo(slow);
    dead.forEach(id -> giveUp(store, id));

    RelayStore next = takeOver();

    assertThat(ids(next.claim(upTo(1)))).isEqualTo(slow);
    assertThat(ids(next.claim(upTo(1)))).isEqualTo(behind);
  }
}
