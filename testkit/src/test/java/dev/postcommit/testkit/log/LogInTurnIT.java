package dev.postcommit.testkit.log;

import static dev.postcommit.testkit.log.LogTable.drain;
import static dev.postcommit.testkit.log.LogTable.ids;
import static dev.postcommit.testkit.log.LogTable.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.store.Claim;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.internal.PlacedLog;
import dev.postcommit.store.internal.PlacedLog.Turn;
import dev.postcommit.store.internal.Places;
import dev.postcommit.store.internal.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A log whose claims are delivered one after the other, because its place is kept elsewhere. */
class LogInTurnIT {

  /** A place that is kept in memory. */
  private static final class Kept implements Places {
    private String place;

    @Override
    public Optional<Begun> begin() {
      return Optional.of(new Begun(place));
    }

    @Override
    public boolean record(Supplier<String> next) {
      place = next.get();
      return true;
    }
  }

  @Test
  @DisplayName("R40: events that were claimed behind a refused one of their key wait for it")
  void whatWasClaimedBehindARefusedEventWaitsForIt() {
    try (LogTable log = LogTable.create();
        PlacedLog store =
            Stores.open(log.dataSource(), LogTable.LAYOUT, UUID.randomUUID(), new Kept())) {
      List<String> ids = new ArrayList<>(log.enqueue("a", 1));
      List<String> others = log.enqueue("b", 1);
      ids.addAll(log.enqueue("a", 1));
      Claim first = store.claim(upTo(1));
      Claim second = store.claim(upTo(2));
      assertThat(ids(second)).containsExactly(others.get(0), ids.get(1));

      store.settle(first, List.of(new Outcome.Retry(ids.get(0), "not now", Duration.ZERO)));

      assertThat(store.turn(second)).isEqualTo(Turn.NEVER);
      store.settle(second, ids(second).stream().map(Outcome.Released::new).toList());
      List<String> delivered = drain(store);
      assertThat(delivered).containsAll(others);
      assertThat(delivered.stream().filter(ids::contains)).isEqualTo(ids);
    }
  }
}
