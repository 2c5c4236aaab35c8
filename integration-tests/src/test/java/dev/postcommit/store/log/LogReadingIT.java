package dev.postcommit.store.log;

import static dev.postcommit.store.log.LogTable.drain;
import static dev.postcommit.store.log.LogTable.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxStore;
import java.sql.SQLException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A relay does not look again and again at rows that it has delivered. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LogReadingIT {
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

  /** The rows that each look walks over. */
  private long behindTheFloor() {
    return log.number(
        "SELECT count(*) FROM postcommit_log, postcommit_log_cursor WHERE seq > floor");
  }

  /** The cursor rests between moves, so that the next looks move it. */
  private void awaitWalk(OutboxStore store, long most) {
    Awaitility.await()
        .until(
            () -> {
              assertThat(drain(store)).isEmpty();
              return behindTheFloor() <= most;
            });
  }

  @Test
  @DisplayName("a backlog that took more settlements than are remembered is not walked over again")
  void aLongBacklogIsNotWalkedOverAgain() {
    log.enqueueAtOnce("a", 1_200);
    OutboxStore store = log.store();
    assertThat(drain(store, upTo(1))).hasSize(1_200);

    awaitWalk(store, 0);
  }

  @Test
  @DisplayName("what another relay left of a backlog is not walked over again")
  void aBacklogThatWasTakenOverIsNotWalkedOverAgain() {
    log.enqueueAtOnce("a", 5_000);
    OutboxStore first = log.store();
    var claim = first.claim(upTo(1));
    first.ack(claim, claim.events().get(0).id());
    first.close();

    OutboxStore second = log.store();
    assertThat(drain(second, upTo(2_000))).hasSize(4_999);
    awaitWalk(second, 0);
    String cursor = log.position();
    log.execute("SELECT pg_current_xact_id()");
    assertThat(drain(second)).isEmpty();
    assertThat(log.position()).as("an idle relay writes nothing").isEqualTo(cursor);
  }

  @Test
  @DisplayName("what was delivered behind an event that takes long is not walked over again")
  void aSlowEventDoesNotMakeItWalkOverWhatIsBehindIt() {
    log.enqueue("slow", 1);
    OutboxStore store = log.store();
    Claim slow = store.claim(upTo(1));
    assertThat(slow.events()).hasSize(1);
    log.enqueueAtOnce("a", 5_000);
    assertThat(drain(store, upTo(500))).hasSize(5_000);

    assertThat(rowsPerLook(store)).isLessThan(1_000);
    store.ack(slow, slow.events().get(0).id());
    awaitWalk(store, 0);
  }

  /** How many rows of the log a look walks over; a session tells of them once a second. */
  private long rowsPerLook(OutboxStore store) {
    long before = rowsRead();
    long from = System.nanoTime();
    long looks = 0;
    do {
      assertThat(drain(store)).isEmpty();
      looks++;
    } while (System.nanoTime() - from < Duration.ofMillis(2_500).toNanos());
    return (rowsRead() - before) / looks;
  }

  private long rowsRead() {
    return log.number(
        "SELECT sum(idx_tup_fetch) FROM pg_stat_user_tables WHERE relname LIKE 'postcommit_log%'");
  }

  @Test
  @DisplayName("a transaction that stays open does not make a relay walk over a backlog")
  void anOpenTransactionDoesNotMakeItWalkOverABacklog() throws SQLException {
    OutboxStore store = log.store();
    assertThat(drain(store)).isEmpty();
    try (Session open = log.session()) {
      String own = open.write("x");
      log.execute(
          """
          INSERT INTO postcommit_log (id, topic, type, payload)
          SELECT gen_random_uuid(), 't', 't', '1' FROM generate_series(1, 25000)""");
      assertThat(drain(store, upTo(5_000))).hasSize(25_000);
      awaitWalk(store, 5_000);

      open.commit();
      assertThat(drain(store)).containsExactly(own);
    }
  }
}
