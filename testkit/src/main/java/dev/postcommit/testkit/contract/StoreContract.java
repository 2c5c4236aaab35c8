package dev.postcommit.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.Event;
import dev.postcommit.PostcommitException;
import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Role;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Claiming and settling. */
public abstract class StoreContract extends LayoutFixture {

  /** The contract for one layout. */
  protected StoreContract(LayoutSample sample) {
    super(sample);
  }

  /** Claims come in the order of writing. */
  @Test
  @DisplayName("R16: a claim takes due events in the order they were written, up to its size")
  public void takesDueEventsInOrderUpToItsSize() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ids.addAll(enqueue("key-" + i, 1));
    }

    assertThat(ids(store().claim(upTo(3)))).isEqualTo(ids.subList(0, 3));
  }

  /** Reading does not change content. */
  @Test
  @DisplayName("R7: an event is read as it was written")
  public void readsAnEventAsItWasWritten() {
    Event written = event("k").json("[1]").build();
    String id = enqueue(written).get(0);

    StoredEvent event = store().claim(upTo(1)).events().get(0);

    assertThat(event.id()).isEqualTo(id);
    assertThat(event.type()).isEqualTo(written.type());
    assertThat(event.aggregateType()).isEqualTo(written.aggregateType());
    assertThat(event.aggregateId()).isEqualTo(written.aggregateId());
    assertThat(event.key()).isNotNull();
    assertThat(event.defect()).isNull();
    assertThat(new String(event.payload(), StandardCharsets.UTF_8)).isEqualTo("[1]");
    assertThat(event.attempt()).isEqualTo(1);
  }

  /** Claims exclude each other. */
  @Test
  @DisplayName("R16: claims made at the same time never share an event")
  public void claimsMadeAtTheSameTimeNeverShareAnEvent() throws Exception {
    for (int i = 0; i < 200; i++) {
      enqueue("key-" + i, 1);
    }
    ExecutorService workers = Executors.newFixedThreadPool(8);
    try {
      List<Future<List<String>>> claims = new ArrayList<>();
      for (int w = 0; w < 8; w++) {
        Callable<List<String>> worker =
            () -> {
              OutboxStore store = store();
              List<String> all = new ArrayList<>();
              for (Claim claim = store.claim(upTo(7));
                  !claim.isEmpty();
                  claim = store.claim(upTo(7))) {
                all.addAll(ids(claim));
              }
              return all;
            };
        claims.add(workers.submit(worker));
      }
      List<String> taken = new ArrayList<>();
      for (Future<List<String>> claim : claims) {
        taken.addAll(claim.get());
      }
      assertThat(taken).hasSize(200).doesNotHaveDuplicates();
    } finally {
      workers.shutdownNow();
    }
  }

  /** Each event is settled on its own. */
  @Test
  @DisplayName("R22: each event of a batch is settled on its own merit")
  public void settlesEachEventOnItsOwnMerit() {
    for (int i = 0; i < 4; i++) {
      enqueue("key-" + i, 1);
    }
    OutboxStore store = store();
    Claim claim = store.claim(upTo(4));
    List<String> ids = ids(claim);

    store.settle(
        claim,
        List.of(
            new Outcome.Delivered(ids.get(0)),
            new Outcome.Retry(ids.get(1), "later", Duration.ofHours(1)),
            new Outcome.Dead(ids.get(2), "never"),
            new Outcome.Released(ids.get(3))));

    assertThat(admin().status().dead()).isEqualTo(1);
    assertThat(admin().status().pending()).isEqualTo(2);
    assertThat(value(ids.get(1), Role.LAST_ERROR)).isEqualTo("later");
    assertThat(value(ids.get(2), Role.LAST_ERROR)).isEqualTo("never");
    assertThat(ids(beside(store).claim(upTo(4)))).containsExactly(ids.get(3));
  }

  /** A delivered event is marked or deleted. */
  @Test
  @DisplayName("R22, R46: a delivered event is marked, or deleted where the layout says so")
  public void marksOrDeletesDeliveredEvents() {
    String id = enqueue("k", 1).get(0);
    OutboxStore store = store();
    Claim claim = store.claim(upTo(1));

    store.ack(claim, id);

    if (layout().keepsDelivered()) {
      assertThat(state(id)).isEqualTo("delivered");
    } else {
      assertThat(rows()).isZero();
    }
  }

  /** Nacks follow the retry policy. */
  @Test
  @DisplayName(
      "R20, R34: nack reschedules with its error until the attempts are used up, then dead")
  public void nackReschedulesUntilTheAttemptsAreUsedUp() {
    String id = enqueue("k", 1).get(0);
    OutboxStore store = store();
    RetryPolicy policy = new RetryPolicy(MAX_ATTEMPTS, Duration.ofNanos(1), Duration.ofNanos(1));

    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      Claim claim = claimSoon(store);
      assertThat(claim.events().get(0).attempt()).isEqualTo(attempt);
      store.nack(claim, id, "failure " + attempt, policy);
      assertThat(value(id, Role.LAST_ERROR)).isEqualTo("failure " + attempt);
      assertThat(attempts(id)).isEqualTo(attempt);
    }

    assertThat(state(id)).isEqualTo("dead");
    assertThat(store.claim(upTo(1)).isEmpty()).isTrue();
  }

  /** A retry waits for its time. */
  @Test
  @DisplayName("R34: an event waiting for its retry is not due before its time")
  public void anEventWaitingForItsRetryIsNotDue() {
    String id = enqueue("k", 1).get(0);
    OutboxStore store = store();
    store.settle(
        store.claim(upTo(1)), List.of(new Outcome.Retry(id, "later", Duration.ofHours(1))));

    assertThat(store.claim(upTo(1)).isEmpty()).isTrue();
    assertThat(admin().status().delayed()).isEqualTo(1);
  }

  /** Errors are bounded. */
  @Test
  @DisplayName(
      "R34: the recorded error has a bounded length and no characters that cannot be stored")
  public void recordsErrorsOfBoundedLength() {
    String id = enqueue("k", 1).get(0);
    OutboxStore store = store();

    store.settle(store.claim(upTo(1)), List.of(new Outcome.Dead(id, "no\0" + "x".repeat(100_000))));

    assertThat(value(id, Role.LAST_ERROR)).startsWith("no x").hasSizeLessThanOrEqualTo(1024);
  }

  /** Releasing counts nothing. */
  @Test
  @DisplayName("R37: a released event counts no attempt and is due at once")
  public void releasingCountsNoAttempt() {
    String id = enqueue("k", 1).get(0);
    OutboxStore store = store();

    for (int i = 0; i < MAX_ATTEMPTS + 2; i++) {
      Claim claim = store.claim(upTo(1));
      assertThat(ids(claim)).containsExactly(id);
      assertThat(claim.events().get(0).attempt()).isEqualTo(1);
      store.settle(claim, List.of(new Outcome.Released(id)));
    }
    assertThat(attempts(id)).isZero();
  }

  /** A crashed worker's events come back. */
  @Test
  @DisplayName("R18, R19: a crashed worker's events come back when its lease ends")
  public void aCrashedWorkersEventsComeBackWhenItsLeaseEnds() {
    List<String> ids = enqueue("k", 3);
    store().claim(brieflyUpTo(3));

    Claim again = claimSoon(store());

    assertThat(ids(again)).isEqualTo(ids);
    assertThat(again.events()).allMatch(event -> event.attempt() == attemptAfterCrash());
  }

  /** A live lease is respected. */
  @Test
  @DisplayName("R19: an event under a live lease is given to nobody else")
  public void anEventUnderALiveLeaseIsGivenToNobodyElse() {
    enqueue("k", 2);
    store().claim(upTo(2));

    assertThat(store().claim(upTo(2)).isEmpty()).isTrue();
    assertThat(admin().status().inFlight()).isEqualTo(shownInFlight(2));
    assertThat(admin().status().relays()).isEqualTo(1);
  }

  /** A crash in the last attempt kills, where it leaves a trace. */
  @Test
  @DisplayName(
      "R18, R19: an event whose attempts all crashed becomes dead, unless crashes leave no trace")
  public void anEventWhoseLastAttemptCrashedBecomesDead() {
    String id = enqueue("k", 1).get(0);
    OutboxStore store = store();
    assertThat(store.claim(brieflyUpTo(1)).isEmpty()).isFalse();
    for (int attempt = 2; attempt <= MAX_ATTEMPTS; attempt++) {
      awaitUntil(() -> !claimBriefly(store).isEmpty());
    }

    if (attemptAfterCrash() == 1) {
      assertThat(claimSoon(store).events().get(0).attempt()).isEqualTo(1);
      return;
    }
    awaitUntil(() -> store.claim(brieflyUpTo(1)).isEmpty() && admin().status().dead() == 1);

    assertThat(state(id)).isEqualTo("dead");
    assertThat(attempts(id)).isEqualTo(MAX_ATTEMPTS);
    assertThat(value(id, Role.LAST_ERROR)).contains("never finished");
  }

  /** On a busy machine so brief a lease may end while the events are still being taken. */
  private Claim claimBriefly(OutboxStore store) {
    try {
      return store.claim(brieflyUpTo(1));
    } catch (PostcommitException e) {
      return Claim.EMPTY;
    }
  }

  /** Lost leases are errors. */
  @Test
  @DisplayName("R20: settling after the lease was lost is an error and changes nothing")
  public void settlingAfterTheLeaseWasLostChangesNothing() {
    String id = enqueue("k", 1).get(0);
    OutboxStore slow = store();
    Claim lost = slow.claim(brieflyUpTo(1));
    Claim current = claimSoon(store());

    assertThatThrownBy(() -> slow.ack(lost, id)).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(() -> slow.nack(lost, id, "x", RetryPolicy.DEFAULT))
        .isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(() -> slow.renew(lost, LEASE)).isInstanceOf(LeaseLostException.class);

    assertThat(current.events().get(0).attempt()).isEqualTo(attemptAfterCrash());
    assertThat(admin().status().inFlight()).isEqualTo(shownInFlight(1));
    assertThat(admin().status().pending()).isEqualTo(1);
  }

  /** The same worker cannot mistake its old claim for its new one. */
  @Test
  @DisplayName("R20: a worker that claims an event again cannot settle it under its old claim")
  public void aWorkerCannotSettleUnderItsOldClaim() {
    String id = enqueue("k", 1).get(0);
    OutboxStore store = store();
    Claim old = store.claim(brieflyUpTo(1));
    Claim current = claimSoon(store);

    assertThatThrownBy(() -> store.nack(old, id, "late", RetryPolicy.DEFAULT))
        .isInstanceOf(LeaseLostException.class);
    store.ack(current, id);

    assertThat(admin().status().pending()).isZero();
  }

  /** Delivered is final. */
  @Test
  @DisplayName("R29: nothing leaves delivered")
  public void nothingLeavesDelivered() {
    String id = enqueue("k", 1).get(0);
    OutboxStore store = store();
    Claim claim = store.claim(upTo(1));
    store.ack(claim, id);

    assertThatThrownBy(() -> store.nack(claim, id, "x", RetryPolicy.DEFAULT))
        .isInstanceOf(LeaseLostException.class);
    assertThat(admin().replay(DeadFilter.all(), new Decision("operator", null))).isZero();
    assertThat(store.claim(upTo(1)).isEmpty()).isTrue();
    assertThat(admin().status().pending()).isZero();
  }

  /** A claim can be settled in parts. */
  @Test
  @DisplayName("R20: events of one claim can be acknowledged one by one")
  public void eventsOfOneClaimCanBeAcknowledgedOneByOne() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ids.addAll(enqueue("key-" + i, 1));
    }
    OutboxStore store = store();
    Claim claim = store.claim(upTo(3));

    store.ack(claim, ids.get(1));
    assertThat(admin().status().inFlight()).isEqualTo(shownInFlight(isHeld() ? 3 : 2));
    assertThatThrownBy(() -> store.ack(claim, ids.get(1))).isInstanceOf(LeaseLostException.class);
    store.ack(claim, ids.get(0));
    store.ack(claim, ids.get(2));

    assertThat(admin().status().pending()).isZero();
    assertThat(admin().status().inFlight()).isZero();
  }

  /** Renewing keeps a claim. */
  @Test
  @DisplayName("R19: a renewed lease holds past its first end")
  public void aRenewedLeaseHoldsPastItsFirstEnd() {
    String id = enqueue("k", 1).get(0);
    OutboxStore store = store();
    long claimedAt = System.nanoTime();
    Claim claim = store.claim(ClaimRequest.of(1, Duration.ofMillis(500), MAX_ATTEMPTS));

    store.renew(claim, LEASE);
    awaitUntil(() -> System.nanoTime() - claimedAt > Duration.ofMillis(700).toNanos());

    assertThat(store().claim(upTo(1)).isEmpty()).isTrue();
    store.ack(claim, id);
    assertThat(admin().status().pending()).isZero();
  }

  /** Large events make small batches. */
  @Test
  @DisplayName("a claim stops at its size in bytes but always takes one event")
  public void aClaimStopsAtItsSizeInBytes() {
    for (int i = 0; i < 4; i++) {
      String noise = new Random(i).ints(1500).boxed().toList().toString();
      enqueue(event("key-" + i).json(noise).build());
    }

    OutboxStore store = store();
    assertThat(store.claim(upTo(4).withBatchBytes(1)).events()).hasSize(1);
    assertThat(beside(store).claim(upTo(4).withBatchBytes(20_000)).events().size()).isBetween(2, 3);
  }

  /** Late commits are seen. */
  @Test
  @DisplayName(
      "R1: an event whose transaction commits after later ones were delivered is not missed")
  public void anEventThatCommitsLateIsNotMissed() {
    OutboxStore store = store();
    String[] late = new String[1];
    transaction(
        tx -> {
          late[0] = outbox().enqueue(tx, small("late")).id().toString();
          for (int i = 0; i < 20; i++) {
            enqueue("key-" + i, 1);
            Claim claim = store.claim(upTo(10));
            store.settle(claim, ids(claim).stream().map(id -> new Outcome.Delivered(id)).toList());
          }
        });

    assertThat(ids(claimSoon(store))).containsExactly(late[0]);
  }
}
