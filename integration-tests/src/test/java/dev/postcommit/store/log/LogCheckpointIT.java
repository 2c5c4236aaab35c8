package dev.postcommit.store.log;

import static dev.postcommit.store.log.LogTable.await;
import static dev.postcommit.store.log.LogTable.drain;
import static dev.postcommit.store.log.LogTable.ids;
import static dev.postcommit.store.log.LogTable.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.internal.factory.Stores;
import dev.postcommit.internal.store.CheckpointedLog;
import dev.postcommit.internal.store.CheckpointedLog.State;
import dev.postcommit.internal.store.Checkpoints;
import dev.postcommit.store.Claim;
import dev.postcommit.store.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A log whose claims are delivered one after the other, because its checkpoint is kept elsewhere.
 */
class LogCheckpointIT {

  /** A checkpoint that is kept in memory. */
  private static final class Kept implements Checkpoints {
    private String checkpoint;

    @Override
    public Optional<Begun> begin() {
      return Optional.of(new Begun(checkpoint));
    }

    @Override
    public boolean record(Supplier<String> next) {
      checkpoint = next.get();
      return true;
    }
  }

  @Test
  @DisplayName("R40: events that were claimed behind a refused one of their key wait for it")
  void whatWasClaimedBehindARefusedEventWaitsForIt() {
    try (LogTable log = LogTable.create();
        CheckpointedLog store = checkpointed(log, new Kept())) {
      List<String> ids = new ArrayList<>(log.enqueue("a", 1));
      List<String> others = log.enqueue("b", 1);
      ids.addAll(log.enqueue("a", 1));
      Claim first = store.claim(upTo(1));
      Claim second = store.claim(upTo(2));
      assertThat(ids(second)).containsExactly(others.get(0), ids.get(1));

      store.settle(first, List.of(new Outcome.Retry(ids.get(0), "not now", Duration.ZERO)));

      assertThat(store.state(second)).isEqualTo(State.STALE);
      store.settle(second, ids(second).stream().map(Outcome.Released::new).toList());
      List<String> delivered = drain(store);
      assertThat(delivered).containsAll(others);
      assertThat(delivered.stream().filter(ids::contains)).isEqualTo(ids);
    }
  }

  @Test
  @DisplayName("R40: who goes on within a window delivers once what another had read ahead of it")
  void whatWasReadAheadIsDeliveredOnce() {
    Kept kept = new Kept();
    List<String> delivered = new ArrayList<>();
    try (LogTable log = LogTable.create();
        CheckpointedLog first = checkpointed(log, kept);
        CheckpointedLog second = checkpointed(log, kept)) {
      List<String> written = new ArrayList<>(log.enqueueInTurn(3, 1));
      delivered.addAll(deliver(first, kept, first.claim(upTo(1))));
      // The broker does not answer for the next, and others are read meanwhile.
      Claim underWay = first.claim(upTo(1));
      written.addAll(log.readAhead(first, underWay));
      assertThat(log.cursor("position")).as("delivered of the first window").isEqualTo(1);
      first.abandon(underWay);

      String later = log.enqueue("later", 1).get(0);
      written.add(later);
      await(
          () -> {
            for (Claim next = second.claim(upTo(100));
                !next.isEmpty();
                next = second.claim(upTo(100))) {
              delivered.addAll(deliver(second, kept, next));
            }
            boolean isChecked = delivered.containsAll(written) && log.isChecked(later);
            written.addAll(isChecked ? List.of() : log.enqueue("later", 1));
            return isChecked;
          });
      assertThat(delivered).isEqualTo(written);
    }
  }

  @Test
  @DisplayName(
      "R40: what was given up before its checkpoint was recorded stays dead, and is passed")
  void whatIsDeadIsPassed() {
    Kept kept = new Kept();
    try (LogTable log = LogTable.create();
        CheckpointedLog second = checkpointed(log, kept)) {
      String dead = log.enqueue("a", 1).get(0);
      try (CheckpointedLog first = checkpointed(log, kept)) {
        first.settle(first.claim(upTo(1)), List.of(new Outcome.Dead(dead, "no")));
      }

      assertThat(drain(second)).isEmpty();
      await(() -> second.claim(upTo(1)).isEmpty() && log.admin().status().pending() == 0);
      List<String> next = log.enqueue("a", 1);
      assertThat(drain(second)).isEqualTo(next);
    }
  }

  private static CheckpointedLog checkpointed(LogTable log, Checkpoints checkpoints) {
    return Stores.open(log.dataSource(), LogTable.LAYOUT, UUID.randomUUID(), checkpoints);
  }

  /** Delivers a claim, and keeps the checkpoint with it. */
  private static List<String> deliver(CheckpointedLog store, Kept kept, Claim claim) {
    List<String> ids = ids(claim);
    kept.checkpoint = store.checkpoint(claim, ids.size());
    store.settle(claim, ids.stream().map(Outcome.Delivered::new).toList());
    return ids;
  }
}
