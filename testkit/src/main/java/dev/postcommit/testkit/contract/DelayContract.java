package dev.postcommit.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxStore;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Delayed events, for layouts that keep a due time. */
public abstract class DelayContract extends LayoutFixture {

  /** The contract for one layout. */
  protected DelayContract(LayoutSample sample) {
    super(sample);
  }

  /** A delayed event does not hold its key. */
  @Test
  @DisplayName("R40: a delayed event does not hold back its key, and is delivered when it is due")
  public void aDelayedEventDoesNotHoldBackItsKey() {
    String delayed =
        enqueue(event("a").json("1").availableAt(Instant.now().plusSeconds(1)).build()).get(0);
    String prompt = enqueue("a", 1).get(0);
    OutboxStore store = store();

    Claim claim = store.claim(upTo(9));
    assertThat(ids(claim)).containsExactly(prompt);
    store.ack(claim, prompt);

    assertThat(ids(claimSoon(store))).containsExactly(delayed);
  }
}
