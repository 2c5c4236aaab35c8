package dev.postcommit.store.log;

import static dev.postcommit.store.log.LogTable.await;
import static dev.postcommit.store.log.LogTable.drain;
import static dev.postcommit.store.log.LogTable.ids;
import static dev.postcommit.store.log.LogTable.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A key with far more events than are kept in memory, while some of it are being delivered. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LogBusyKeyIT {
  private static final int MANY = 3_000;
  private static final int BATCH = 50;

  private LogTable log;
  private OutboxStore store;

  @BeforeAll
  void createTable() {
    log = LogTable.create();
  }

  @BeforeEach
  void emptyTable() {
    log.reset();
    store = log.store();
  }

  @AfterAll
  void dropTable() {
    log.close();
  }

  private static void deliver(OutboxStore store, Claim claim) {
    store.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
  }

  /** Claims from {@code store} until something of another key comes. */
  private static List<String> claimOther(OutboxStore store) {
    List<String> claimed = new ArrayList<>();
    await(
        () -> {
          Claim claim = store.claim(upTo(BATCH));
          claimed.addAll(ids(claim));
          deliver(store, claim);
          return !claimed.isEmpty();
        });
    return claimed;
  }

  @Test
  @DisplayName(
      "R6, R40: a busy key with more events than are kept does not keep others from theirs")
  void aBusyKeyDoesNotKeepOthersFromTheirs() {
    List<String> busy = log.enqueueAtOnce("busy", MANY);
    List<String> others = log.enqueue("other", 2);
    Claim claim = store.claim(upTo(BATCH));
    assertThat(ids(claim)).isEqualTo(busy.subList(0, BATCH));

    assertThat(claimOther(store)).isEqualTo(others);
    List<String> later = log.enqueue("other", 2);
    assertThat(claimOther(store)).as("written since").isEqualTo(later);
    busy = new ArrayList<>(busy);
    busy.addAll(log.enqueueAtOnce("busy", 10));

    deliver(store, claim);
    List<String> rest = busy.subList(BATCH, busy.size());
    assertThat(drain(store, rest)).isEqualTo(rest);
    assertThat(log.number("SELECT count(*) FROM postcommit_log_diverted")).isZero();
    assertThat(log.admin().status().pending()).isZero();
  }

  @Test
  @DisplayName("R6, R40: several busy keys do not either")
  void severalBusyKeysDoNotEither() {
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      List<String> busy = log.enqueueAtOnce("busy-" + i, BATCH);
      claims.add(store.claim(upTo(BATCH)));
      assertThat(ids(claims.get(i))).isEqualTo(busy);
    }
    List<List<String>> rests = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      rests.add(log.enqueueAtOnce("busy-" + i, 500));
    }
    List<String> others = log.enqueue("other", 2);
    assertThat(claimOther(store)).isEqualTo(others);

    claims.forEach(claim -> deliver(store, claim));
    List<String> all = rests.stream().flatMap(List::stream).toList();
    List<String> delivered = drain(store, all);
    assertThat(delivered).hasSameSizeAs(all);
    for (List<String> rest : rests) {
      assertThat(delivered.stream().filter(rest::contains)).isEqualTo(rest);
    }
  }

  @Test
  @DisplayName(
      "R40: however many keys are busy, what waits of them takes no more claims than others")
  void manyBusyKeysAreClaimedInFullBatches() {
    List<String> busy = log.enqueueInTurn(BATCH, 40);
    Claim claim = store.claim(upTo(BATCH));
    assertThat(ids(claim)).isEqualTo(busy.subList(0, BATCH));
    List<String> others = log.enqueue("other", 2);
    assertThat(claimOther(store)).isEqualTo(others);
    deliver(store, claim);

    List<String> delivered = new ArrayList<>();
    int claims = 0;
    for (int batches = busy.size() / BATCH; delivered.size() < busy.size() - BATCH; claims++) {
      assertThat(claims).as("claims for %s events", delivered.size()).isLessThan(2 * batches);
      Claim next = store.claim(upTo(BATCH));
      delivered.addAll(ids(next));
      deliver(store, next);
    }
    for (int key = 0; key < BATCH; key++) {
      List<String> ofKey = new ArrayList<>();
      for (int i = BATCH + key; i < busy.size(); i += BATCH) {
        ofKey.add(busy.get(i));
      }
      assertThat(delivered.stream().filter(ofKey::contains)).isEqualTo(ofKey);
    }
  }

  @Test
  @DisplayName(
      "R1, R40: if a busy key's event fails, all its others are diverted and keep their order")
  void theOthersAreDivertedInOrder() {
    List<String> busy = log.enqueueAtOnce("busy", MANY);
    List<String> others = log.enqueue("other", 2);
    Claim claim = store.claim(upTo(BATCH));
    assertThat(claimOther(store)).isEqualTo(others);

    List<Outcome> outcomes = new ArrayList<>();
    outcomes.add(new Outcome.Retry(busy.get(0), "not now", Duration.ofMillis(300)));
    busy.subList(1, BATCH).forEach(id -> outcomes.add(new Outcome.Released(id)));
    store.settle(claim, outcomes);
    List<String> later = log.enqueue("other", 2);
    assertThat(claimOther(store)).isEqualTo(later);

    assertThat(drain(store, busy)).isEqualTo(busy);
    assertThat(log.admin().status().pending()).isZero();
  }

  @Test
  @DisplayName(
      "R1, R40: a batch of a busy key that is given back comes before the others of its key")
  void aBatchThatIsGivenBackComesFirst() {
    List<String> busy = log.enqueueAtOnce("busy", MANY);
    List<String> others = log.enqueue("other", 2);
    Claim claim = store.claim(upTo(BATCH));
    assertThat(claimOther(store)).isEqualTo(others);

    store.settle(claim, ids(claim).stream().<Outcome>map(Outcome.Released::new).toList());
    assertThat(drain(store, busy)).isEqualTo(busy);
  }

  @Test
  @DisplayName("R1, R40: who takes over delivers everything of a busy key, in order")
  void whoTakesOverDeliversEverything() {
    List<String> busy = log.enqueueAtOnce("busy", MANY);
    List<String> others = log.enqueue("other", 2);
    Claim claim = store.claim(upTo(BATCH));
    assertThat(claimOther(store)).isEqualTo(others);
    deliver(store, claim);
    deliver(store, store.claim(upTo(BATCH)));
    log.execute("UPDATE postcommit_log_cursor SET until = '-infinity'");

    List<String> rest = busy.subList(2 * BATCH, MANY);
    List<String> delivered = drain(log.store(), rest);
    assertThat(delivered.stream().filter(busy::contains)).isEqualTo(rest);
  }
}
