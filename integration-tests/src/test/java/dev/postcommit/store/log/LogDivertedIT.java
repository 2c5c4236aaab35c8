package dev.postcommit.store.log;

import static dev.postcommit.store.log.LogTable.SHORT;
import static dev.postcommit.store.log.LogTable.await;
import static dev.postcommit.store.log.LogTable.drain;
import static dev.postcommit.store.log.LogTable.event;
import static dev.postcommit.store.log.LogTable.ids;
import static dev.postcommit.store.log.LogTable.upTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.PostcommitException;
import dev.postcommit.store.Claim;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Events that cannot go their way in order, and those behind them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LogDivertedIT {
  private static final Duration SOON = Duration.ofMillis(200);
  private static final Duration LATER = Duration.ofHours(1);

  private LogTable log;
  private OutboxStore store;

  @BeforeAll
  void createTable() {
    log = LogTable.create();
  }

  @BeforeEach
  void emptyTable() {
    log.execute("DROP TRIGGER IF EXISTS stuck ON postcommit_log_cursor");
    log.reset();
    store = log.store();
  }

  @AfterAll
  void dropTable() {
    log.close();
  }

  /** From now on the cursor cannot be moved, as if the database failed between two statements. */
  private void stickCursor() {
    log.execute(
        """
        CREATE OR REPLACE FUNCTION stuck() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'the cursor is stuck'; END $$""");
    log.execute(
        """
        CREATE TRIGGER stuck BEFORE UPDATE ON postcommit_log_cursor FOR EACH ROW
        WHEN ((NEW.seen::text, NEW.upto::text, NEW.position)
          IS DISTINCT FROM (OLD.seen::text, OLD.upto::text, OLD.position))
        EXECUTE FUNCTION stuck()""");
  }

  private void freeCursor() {
    log.execute("DROP TRIGGER stuck ON postcommit_log_cursor");
  }

  private static Outcome retry(String id, Duration delay) {
    return new Outcome.Retry(id, "not now", delay);
  }

  private long diverted() {
    return log.number("SELECT count(*) FROM postcommit_log_diverted");
  }

  @Test
  @DisplayName("R40: a refused event comes back before the later ones of its key; others go on")
  void aRefusedEventComesBackBeforeTheLaterOnes() {
    List<String> ids = new ArrayList<>(log.enqueue("a", 2));
    Claim claim = store.claim(upTo(9));
    store.settle(
        claim, List.of(retry(ids.get(0), Duration.ofSeconds(1)), new Outcome.Released(ids.get(1))));
    ids.addAll(log.enqueue("a", 2));
    List<String> others = log.enqueue("b", 2);

    assertThat(drain(store)).isEqualTo(others);
    assertThat(drain(store, ids)).isEqualTo(ids);
    List<String> next = log.enqueue("a", 2);
    assertThat(drain(store)).isEqualTo(next);
    assertThat(diverted()).as("events that went the other way").isEqualTo(4);
  }

  @Test
  @DisplayName("R1, R40: a relay that stops before it diverts leaves the event where it was")
  void takenOverBeforeTheDivert() {
    List<String> ids = log.enqueue("a", 3);
    assertThat(ids(store.claim(upTo(2, SHORT)))).isEqualTo(ids.subList(0, 2));

    assertThat(drain(log.store(), ids)).isEqualTo(ids);
  }

  @Test
  @DisplayName("R1, R40: a relay that stops between divert and cursor loses and reorders nothing")
  void takenOverBetweenDivertAndCursor() {
    List<String> ids = log.enqueue("a", 3);
    List<String> unkeyed = log.enqueueAll(List.of(event(null)));
    Claim claim = store.claim(upTo(9, SHORT));
    stickCursor();
    assertThatThrownBy(
            () ->
                store.settle(
                    claim,
                    List.of(
                        new Outcome.Delivered(ids.get(0)),
                        retry(ids.get(1), SOON),
                        new Outcome.Released(ids.get(2)),
                        retry(unkeyed.get(0), SOON))))
        .isInstanceOf(PostcommitException.class);
    freeCursor();
    assertThat(diverted()).isEqualTo(3);

    List<String> rest = new ArrayList<>(ids.subList(1, 3));
    rest.addAll(log.enqueue("a", 2));
    List<String> delivered = drain(log.store(), rest);
    assertThat(delivered.stream().filter(rest::contains)).isEqualTo(rest);
    assertThat(delivered).containsAll(unkeyed);
  }

  @Test
  @DisplayName("R40: a key whose event is diverted stays closed though its settlement failed")
  void aKeyStaysClosedThoughItsSettlementFailed() {
    List<String> ids = log.enqueue("a", 9);
    Claim claim = store.claim(upTo(1, SHORT.multipliedBy(2)));
    for (int i = 0; i < 5; i++) {
      assertThat(store.claim(upTo(1, SHORT)).isEmpty()).as("reads ahead").isTrue();
    }
    stickCursor();
    assertThatThrownBy(() -> store.settle(claim, List.of(retry(ids.get(0), LATER))))
        .isInstanceOf(PostcommitException.class);
    freeCursor();

    List<String> claimed = new ArrayList<>();
    await(
        () -> {
          claimed.addAll(ids(store.claim(upTo(1, SHORT))));
          return diverted() == ids.size() || !claimed.isEmpty();
        });
    assertThat(claimed).as("claimed before the event that waits").isEmpty();
  }

  @Test
  @DisplayName("R40: a long run of a key that waits does not keep a claim from what is behind it")
  void aLongRunOfAWaitingKey() {
    List<String> ids = log.enqueue("a", 1);
    store.settle(store.claim(upTo(1)), List.of(retry(ids.get(0), LATER)));
    log.enqueueAtOnce("a", 2_000);
    List<String> behind = log.enqueue("b", 1);

    assertThat(ids(store.claim(upTo(100)))).isEqualTo(behind);
  }

  @Test
  @DisplayName("R40: a dead event does not hold its key; replayed, it is delivered")
  void aDeadEventIsReplayed() {
    List<String> ids = log.enqueue("a", 3);
    Claim claim = store.claim(upTo(1));
    store.settle(claim, List.of(new Outcome.Dead(ids.get(0), "no")));
    assertThat(drain(store)).isEqualTo(ids.subList(1, 3));
    assertThat(log.admin().deadIds(DeadFilter.all(), 100)).containsExactly(ids.get(0));
    store.close();

    OutboxStore next = log.store();
    log.admin().replay(DeadFilter.all(), new Decision("ada", null));
    List<String> later = log.enqueue("a", 1);
    assertThat(drain(next, later)).containsExactly(ids.get(0), later.get(0));
  }

  @Test
  @DisplayName("R40: an outage during a replay does not let a later event overtake its key")
  void anOutageDuringAReplayKeepsTheOrder() throws Exception {
    LatePages pages = new LatePages(log.dataSource());
    OutboxStore late = log.store(pages.dataSource());
    List<String> ids = new ArrayList<>(log.enqueue("a", 2));
    String dead = ids.get(0);
    late.settle(late.claim(upTo(1)), List.of(new Outcome.Dead(dead, "no")));
    Claim inFlight = late.claim(upTo(1));
    assertThat(ids(inFlight)).containsExactly(ids.get(1));
    log.admin().replay(DeadFilter.all(), new Decision("ada", null));
    Claim replayed = late.claim(upTo(9));
    assertThat(ids(replayed)).as("its key is closed while it waits").containsExactly(dead);
    late.settle(replayed, List.of(new Outcome.Delivered(dead)));
    ids.addAll(log.enqueue("a", 1));

    pages.holdBack();
    CompletableFuture<Claim> next = CompletableFuture.supplyAsync(() -> late.claim(upTo(9)));
    pages.awaitRead();
    late.settle(inFlight, List.of(new Outcome.Released(ids.get(1))));
    pages.release();

    List<String> delivered = new ArrayList<>(ids(next.get()));
    late.settle(next.get(), delivered.stream().map(Outcome.Delivered::new).toList());
    delivered.addAll(drain(late));
    assertThat(delivered).isEqualTo(ids.subList(1, 3));
  }

  @Test
  @DisplayName("R1: two events with the same id are both delivered, one after the other")
  void twoEventsWithTheSameId() {
    var twin = event("a");
    log.enqueueAll(List.of(twin));
    log.enqueueAll(List.of(twin, event(null)));
    String id = twin.id().toString();

    Claim first = store.claim(upTo(9));
    assertThat(ids(first)).hasSize(2).startsWith(id);
    store.settle(first, ids(first).stream().map(Outcome.Delivered::new).toList());
    Claim second = store.claim(upTo(9));
    assertThat(ids(second)).containsExactly(id);
    store.settle(second, List.of(retry(id, Duration.ZERO)));
    assertThat(drain(store, List.of(id))).containsExactly(id);
  }

  @Test
  @DisplayName("R40: events without a key wait for nothing, and hold nothing back")
  void eventsWithoutAKey() {
    List<String> ids = log.enqueueAll(Stream.generate(() -> event(null)).limit(3).toList());
    Claim claim = store.claim(upTo(1));
    store.settle(claim, List.of(retry(ids.get(0), SOON)));

    assertThat(drain(store, ids)).containsExactlyInAnyOrderElementsOf(ids);
  }
}
