package dev.postcommit.store.leased;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.Samples;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Statements of a lease that arrive after it was lost, when the same relay has leased the same
 * event again for the same attempt.
 */
class LeasedLateStatementIT extends LayoutFixture {

  LeasedLateStatementIT() {
    super(Samples.MODKIT);
  }

  @Test
  @DisplayName("R20: a settlement from before an operator's replay does not end the next lease")
  void aSettlementFromBeforeAReplayEndsNothing() {
    String id = enqueue("a", 1).get(0);
    OutboxStore store = store();
    Claim lost = store.claim(brieflyUpTo(10));
    diesAndIsReplayed(id);

    Claim next = store.claim(upTo(10));

    assertSameAttempt(lost, next);
    assertEndsNothing(store, lost, id);
    store.ack(next, id);
    assertThat(state(id)).isEqualTo("delivered");
  }

  @Test
  @DisplayName("R20: a settlement that is repeated does not end the next lease")
  void aRepeatedSettlementEndsNothing() {
    String id = enqueue("a", 1).get(0);
    OutboxStore store = store();
    Claim released = store.claim(upTo(10));
    store.settle(released, List.of(new Outcome.Released(id)));

    Claim next = store.claim(upTo(10));

    assertSameAttempt(released, next);
    assertEndsNothing(store, released, id);
    store.ack(next, id);
    assertThat(state(id)).isEqualTo("delivered");
  }

  @Test
  @DisplayName("R20: a renewal from before an operator's replay does not renew the next lease")
  void aRenewalFromBeforeAReplayRenewsNothing() {
    String id = enqueue("a", 1).get(0);
    OutboxStore store = store();
    Claim lost = store.claim(brieflyUpTo(10));
    diesAndIsReplayed(id);
    Claim next = store.claim(upTo(10));

    assertThatThrownBy(() -> store.renew(lost, LEASE)).isInstanceOf(LeaseLostException.class);

    store.renew(next, LEASE);
    store.ack(next, id);
    assertThat(state(id)).isEqualTo("delivered");
  }

  /** Another relay gives the event up once its lease has ended, and an operator replays it. */
  private void diesAndIsReplayed(String id) {
    OutboxStore other = store();
    awaitUntil(
        () -> {
          other.claim(ClaimRequest.of(10, LEASE, 1));
          return state(id).equals("dead");
        });
    assertThat(admin().replay(DeadFilter.all(), new Decision("operator", null))).isEqualTo(1);
  }

  private static void assertSameAttempt(Claim first, Claim second) {
    assertThat(second.events()).as("the same event for the same attempt").isEqualTo(first.events());
  }

  private void assertEndsNothing(OutboxStore store, Claim lost, String id) {
    assertThatThrownBy(() -> store.settle(lost, List.of(new Outcome.Released(id))))
        .isInstanceOf(LeaseLostException.class);
    assertThat(state(id)).isEqualTo("processing");
    assertThat(store().claim(upTo(10)).isEmpty()).as("nobody else gets it").isTrue();
  }
}
