package dev.postcommit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Enqueued.AlreadyEnqueued;
import dev.postcommit.Event;
import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.testkit.contract.DelayContract;
import dev.postcommit.testkit.contract.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LogDelayIT extends DelayContract {
  LogDelayIT() {
    super(Samples.LOG);
  }

  private Event due(String key, Duration in) {
    return event(key).json("1").availableAt(Instant.now().plus(in)).build();
  }

  @Test
  @DisplayName("R40: a delayed event that is due is not held back by its key in the log")
  void aDelayedEventIsNotHeldByItsKey() {
    String prompt = enqueue("a", 1).get(0);
    OutboxStore store = store();
    assertThat(ids(store.claim(upTo(9)))).containsExactly(prompt);

    String delayed = enqueue(due("a", Duration.ofMillis(50))).get(0);
    assertThat(ids(claimSoon(store))).containsExactly(delayed);
  }

  @Test
  @DisplayName("R40: a delayed event holds back its key only once it was refused")
  void aDelayedEventHoldsItsKeyOnceItWasRefused() {
    String delayed = enqueue(due("a", Duration.ofMillis(200))).get(0);
    OutboxStore store = store();
    Claim claim = claimSoon(store);
    assertThat(ids(claim)).containsExactly(delayed);
    String during = enqueue("a", 1).get(0);
    Claim prompt = claimSoon(store);
    assertThat(ids(prompt)).containsExactly(during);
    store.ack(prompt, during);
    store.settle(claim, List.of(new Outcome.Retry(delayed, "no", Duration.ofMillis(100))));

    String later = enqueue("a", 1).get(0);
    Claim again = claimSoon(store);
    assertThat(ids(again)).startsWith(delayed);
    again.events().forEach(event -> store.ack(again, event.id()));
    if (again.events().size() == 1) {
      assertThat(ids(claimSoon(store))).containsExactly(later);
    }
  }

  @Test
  @DisplayName("R1: of delayed events in a transaction that is rolled back none comes")
  void rolledBackDelayedEventsDoNotCome() {
    transaction(
        tx -> {
          outbox().enqueueAll(tx, List.of(due("a", Duration.ZERO), small("a")));
          tx.rollback();
        });
    assertThat(store().claim(upTo(9)).isEmpty()).isTrue();
    assertThat(rows()).isZero();
  }

  @Test
  @DisplayName("R5: a dedupe key counts for prompt and delayed events together")
  void aDedupeKeyCountsForBoth() {
    Event delayed =
        event("a").dedupeKey("once").json("1").availableAt(Instant.now().plusSeconds(60)).build();
    Event prompt = event("a").dedupeKey("once").json("1").build();
    transaction(
        tx -> {
          var results = outbox().enqueueAll(tx, List.of(small("b"), delayed, prompt, small("c")));
          assertThat(results.get(2)).isEqualTo(new AlreadyEnqueued(delayed.id()));
          assertThat(results.get(0)).isNotInstanceOf(AlreadyEnqueued.class);
        });
    transaction(
        tx ->
            assertThat(outbox().enqueue(tx, prompt)).isEqualTo(new AlreadyEnqueued(delayed.id())));
    assertThat(rows()).isEqualTo(3);
  }

  @Test
  @DisplayName("R5: of events with one dedupe key the first of the list is written")
  void theFirstOfTheListIsWritten() {
    Event prompt = event("a").dedupeKey("once").json("1").build();
    Event delayed =
        event("a").dedupeKey("once").json("1").availableAt(Instant.now().plusSeconds(60)).build();
    transaction(
        tx ->
            assertThat(outbox().enqueueAll(tx, List.of(prompt, delayed)))
                .last()
                .isEqualTo(new AlreadyEnqueued(prompt.id())));
  }
}
