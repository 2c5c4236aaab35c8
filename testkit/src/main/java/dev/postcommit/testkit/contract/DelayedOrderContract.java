package dev.postcommit.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Delayed events, for layouts in which they have a place among the others of their key. */
public abstract class DelayedOrderContract extends DelayContract {

  /** The contract for one layout. */
  protected DelayedOrderContract(LayoutSample sample) {
    super(sample);
  }

  /** A delayed event takes its place when due. */
  @Test
  @DisplayName("R40: a delayed event takes its place among those of its key when it is due")
  public void aDelayedEventTakesItsPlaceWhenDue() {
    String past =
        enqueue(event("a").json("1").availableAt(Instant.now().plusMillis(300)).build()).get(0);
    String prompt = enqueue("a", 1).get(0);

    awaitUntil(() -> admin().status().delayed() == 0);

    assertThat(ids(store().claim(upTo(9)))).containsExactly(past, prompt);
  }

  /** A long run of a waiting key hides nothing from the order of others. */
  @Test
  @DisplayName("R40: a delayed event stays behind earlier ones of its key that lie far back")
  public void aDelayedEventStaysBehindEarlierOnesFarBack() {
    List<Event> run = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      run.add(small("waiting"));
    }
    transaction(tx -> outbox().enqueueAll(tx, run));
    OutboxStore store = store();
    Claim claim = store.claim(upTo(1));
    store.settle(
        claim,
        List.of(new Outcome.Retry(run.get(0).id().toString(), "later", Duration.ofHours(1))));
    String first = enqueue("a", 1).get(0);
    String delayed =
        enqueue(event("a").json("1").availableAt(Instant.now().plusMillis(100)).build()).get(0);
    awaitUntil(() -> admin().status().delayed() == 1);

    assertThat(ids(claimSoon(store()))).containsExactly(first, delayed);
  }
}
