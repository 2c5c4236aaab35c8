package dev.postcommit.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.layout.Role;
import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxAdmin.DeadEvent;
import dev.postcommit.store.OutboxAdmin.Status;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The operator's view. */
public abstract class AdminContract extends LayoutFixture {

  /** The contract for one layout. */
  protected AdminContract(LayoutSample sample) {
    super(sample);
  }

  private String dead(String key) {
    String id = enqueue(key, 1).get(0);
    OutboxStore store = store();
    Claim claim = store.claim(upTo(1));
    store.settle(claim, List.of(new Outcome.Dead(id, "broken")));
    return id;
  }

  private String delivered(String key) {
    String id = enqueue(key, 1).get(0);
    OutboxStore store = store();
    store.ack(store.claim(upTo(1)), id);
    return id;
  }

  /** An empty table. */
  @Test
  @DisplayName("an empty table has nothing pending, nothing dead and no age")
  public void anEmptyTableHasNothing() {
    assertThat(admin().status()).isEqualTo(new Status(0, 0, 0, 0, null, Duration.ZERO, 0));
  }

  /** The age of the backlog. */
  @Test
  @DisplayName("R49: the oldest age is that of the oldest event that is due")
  public void theOldestAgeIsThatOfTheOldestDueEvent() {
    enqueue("a", 2);

    Status status = admin().status();

    assertThat(status.pending()).isEqualTo(2);
    assertThat(status.oldestPending()).isNotNull();
    assertThat(status.oldestAge()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
  }

  /** Dead events are kept for inspection. */
  @Test
  @DisplayName("R38: dead events stay, with their error and attempts, oldest first")
  public void deadEventsStayWithTheirError() {
    String first = dead("a");
    String second = dead("b");

    List<DeadEvent> all = admin().dead(10);

    assertThat(all).extracting(dead -> dead.event().id()).containsExactly(first, second);
    assertThat(all).extracting(DeadEvent::error).containsOnly("broken");
    assertThat(admin().dead(1)).hasSize(1);
    assertThat(admin().dead(first)).isPresent();
    assertThat(admin().dead(UUID.randomUUID().toString())).isEmpty();
    assertThat(admin().status().dead()).isEqualTo(2);
  }

  /** Dead is final but for an operator. */
  @Test
  @DisplayName(
      "R29, R38: nothing leaves dead but by an operator's replay, which gives new attempts")
  public void nothingLeavesDeadButByReplay() {
    String id = dead("a");
    assertThat(store().claim(upTo(9)).isEmpty()).isTrue();

    assertThat(admin().replay(List.of(id))).isEqualTo(1);
    assertThat(admin().replay(List.of(id))).isZero();

    Claim claim = store().claim(upTo(9));
    assertThat(ids(claim)).containsExactly(id);
    assertThat(claim.events().get(0).attempt()).isEqualTo(1);
  }

  /** Only dead events can be discarded. */
  @Test
  @DisplayName("R38: discard deletes dead events and no others")
  public void discardDeletesDeadEventsOnly() {
    String dead = dead("a");
    String pending = enqueue("b", 1).get(0);

    assertThat(admin().discard(List.of(dead, pending, UUID.randomUUID().toString()))).isEqualTo(1);

    assertThat(admin().status().dead()).isZero();
    assertThat(admin().status().pending()).isEqualTo(1);
  }

  /** Pruning spares what is not delivered. */
  @Test
  @DisplayName(
      "R46: pruning deletes old delivered rows in bounded batches, never pending or dead ones")
  public void pruningDeletesOldDeliveredRowsOnly() {
    String dead = dead("a");
    for (int i = 0; i < 5; i++) {
      delivered("d" + i);
    }
    String pending = enqueue("p", 1).get(0);

    assertThat(admin().prune(Duration.ofDays(1), 2)).isZero();
    assertThat(admin().prune(Duration.ZERO, 2)).isEqualTo(layout().keepsDelivered() ? 5 : 0);

    assertThat(rows()).isEqualTo(2);
    assertThat(value(dead, Role.STATUS)).isEqualTo("dead");
    assertThat(value(pending, Role.STATUS)).isEqualTo("pending");
  }

  /** Nonsense is refused. */
  @Test
  @DisplayName("pruning refuses a negative retention and an empty batch")
  public void pruningRefusesNonsense() {
    assertThatThrownBy(() -> admin().prune(Duration.ofSeconds(-1), 10))
        .hasMessageContaining("retention");
    assertThatThrownBy(() -> admin().prune(Duration.ZERO, 0)).hasMessageContaining("batchSize");
  }
}
