package dev.postcommit.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.store.Claim;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.OutboxAdmin.Count;
import dev.postcommit.store.OutboxAdmin.DeadEvent;
import dev.postcommit.store.OutboxAdmin.DeadReason;
import dev.postcommit.store.OutboxAdmin.DeadSummary;
import dev.postcommit.store.OutboxAdmin.Gauges;
import dev.postcommit.store.OutboxAdmin.LogGauges;
import dev.postcommit.store.OutboxAdmin.LogStatus;
import dev.postcommit.store.OutboxAdmin.Status;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The operator's view: how the table stands, which events are dead, what is pruned. */
public abstract class AdminContract extends AdminFixture {

  /** The contract for one layout. */
  protected AdminContract(LayoutSample sample) {
    super(sample);
  }

  /** An empty table. */
  @Test
  @DisplayName("an empty table has nothing pending, nothing dead and no age")
  public void anEmptyTableHasNothing() {
    @Nullable LogStatus log = isLog() ? new LogStatus(0, null) : null;
    assertThat(admin().status()).isEqualTo(new Status(0, 0, 0, 0, null, Duration.ZERO, 0, log));
  }

  /** Figures for metrics. */
  @Test
  @DisplayName("R49: the cheap figures are those of the status as long as there are few rows")
  public void cheapFiguresAreThoseOfTheStatus() {
    assertThat(admin().gauges())
        .isEqualTo(
            new Gauges(
                count(0),
                0,
                count(0),
                count(0),
                Duration.ZERO,
                0,
                false,
                isLog() ? new LogGauges(count(0), false) : null));
    dead("a");
    delivered("b");
    dead("c");
    pending("d");
    pending("e");
    OutboxStore store = store();
    Claim claim = store.claim(upTo(1));
    store.settle(
        claim, List.of(new Outcome.Retry(ids(claim).get(0), "later", Duration.ofHours(1))));
    Claim held = claimSoon(store);
    admin().pause(WITH_REASON);

    Gauges gauges = admin().gauges();
    Status status = admin().status();

    assertThat(gauges.pending()).isEqualTo(count(2));
    assertThat(gauges.dead()).isEqualTo(count(2));
    assertThat(gauges.delayed()).isEqualTo(count(1));
    assertThat(gauges.inFlight()).isEqualTo(shownInFlight(held.events().size()));
    assertThat(gauges.oldestAge()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
    assertThat(gauges.paused()).isTrue();
    assertThat(gauges.relays()).isZero();
    assertThat(gauges.log()).isEqualTo(isLog() ? new LogGauges(count(1), true) : null);
    assertThat(status.pending()).isEqualTo(2);
    assertThat(status.dead()).isEqualTo(2);
    assertThat(status.delayed()).isEqualTo(1);
    assertThat(status.inFlight()).isEqualTo(shownInFlight(1));
  }

  private static Count count(long rows) {
    return new Count(rows, true);
  }

  /** The age of the backlog. */
  @Test
  @DisplayName("R49: the oldest age is that of the oldest event that is due")
  public void theOldestAgeIsThatOfTheOldestDueEvent() {
    pending("a");
    pending("b");

    Status status = admin().status();

    assertThat(status.pending()).isEqualTo(2);
    assertThat(status.delayed()).isZero();
    assertThat(status.oldestPending()).isNotNull();
    assertThat(status.oldestAge()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
  }

  /** Each row is counted as what it is. */
  @Test
  @DisplayName("R38, R49: pending and dead events are counted apart, delivered ones not at all")
  public void eventsAreCountedByTheirState() {
    dead("a");
    delivered("b");
    dead("c");
    pending("d");

    assertThat(admin().status().dead()).isEqualTo(2);
    assertThat(admin().status().pending()).isEqualTo(1);
    assertThat(admin().countDead(DeadFilter.all())).isEqualTo(2);
  }

  /** Dead events are kept for inspection. */
  @Test
  @DisplayName("R38: dead events stay, with their error and attempts, oldest first")
  public void deadEventsStayWithTheirError() {
    String first = dead("a");
    String second = dead("b");

    List<DeadSummary> all = admin().dead(DeadFilter.all(), 10);

    assertThat(all).extracting(DeadSummary::id).containsExactly(first, second);
    assertThat(all).extracting(DeadSummary::error).containsOnly("broken");
    assertThat(all).allMatch(dead -> dead.attempts() > 0);
    for (DeadSummary summary : all) {
      DeadEvent dead = admin().dead(summary.id()).orElseThrow();
      assertThat(summary).isEqualTo(dead.summary());
      assertThat(summary.payloadBytes()).isPositive();
      if (layout().headers().isPresent()) {
        assertThat(dead.event().headers()).containsEntry("trace", "abc");
      }
    }
    assertThat(admin().dead(DeadFilter.all(), 1)).hasSize(1);
    assertThat(admin().deadIds(DeadFilter.all(), 100)).containsExactly(first, second);
    assertThat(admin().dead(first)).isPresent();
    assertThat(admin().dead(first.toUpperCase(Locale.ROOT))).isPresent();
  }

  /** Ids that are none. */
  @Test
  @DisplayName("R38: an id without a dead event, or that is no id at all, matches nothing")
  public void anIdWithoutADeadEventMatchesNothing() {
    dead("a");
    List<String> others = List.of(pending("b"), UUID.randomUUID().toString(), "abc", "", "' OR 1");

    for (String other : others) {
      assertThat(admin().dead(other)).as(other).isEmpty();
    }
    assertThat(admin().countDead(DeadFilter.ids(others))).isZero();
    assertThat(admin().replay(DeadFilter.ids(others), WITHOUT_REASON)).isZero();
    assertThat(admin().discard(DeadFilter.ids(others), WITH_REASON)).isZero();
    assertThat(admin().countDead(DeadFilter.ids(List.of()))).isZero();
    assertThat(admin().audit(10)).isEmpty();
  }

  /** Counted by the database, however many there are. */
  @Test
  @DisplayName("R38: dead events are counted by the reasons for which they were given up")
  public void deadEventsAreCountedByReason() {
    dead("a", "too large");
    dead("b", "no topic");
    dead("c", "too large");

    assertThat(admin().deadReasons(DeadFilter.all(), 10))
        .containsExactly(new DeadReason("too large", 2), new DeadReason("no topic", 1));
    assertThat(admin().deadReasons(filter(null, null, null, "topic", null, null), 10))
        .containsExactly(new DeadReason("no topic", 1));
    assertThat(admin().deadReasons(DeadFilter.all(), 1)).hasSize(1);
    assertThat(admin().deadIds(DeadFilter.all(), 2)).hasSize(2);
  }

  /** Every part of a filter narrows. */
  @Test
  @DisplayName("R38: dead events are found by id, type, topic, key, error and time of writing")
  public void deadEventsAreFoundByEachPartOfAFilter() {
    String first = dead("a", "no topic for it");
    String second = dead("b", "100% too large");
    StoredEvent sample = admin().dead(second).orElseThrow().event();
    Instant between = sample.createdAt();

    assertFound(filter(sample.type(), null, null, null, null, null), first, second);
    assertFound(filter("other", null, null, null, null, null));
    assertFound(filter(null, sample.topic(), null, null, null, null), first, second);
    assertFound(filter(null, "other", null, null, null, null));
    assertFound(filter(null, null, String.valueOf(sample.key()), null, null, null), second);
    assertFound(filter(null, null, "other", null, null, null));
    assertFound(filter(null, null, null, "0% too", null, null), second);
    assertFound(filter(null, null, null, "%", null, null), second);
    assertFound(filter(null, null, null, "other", null, null));
    assertFound(filter(null, null, null, null, between, null), second);
    assertFound(filter(null, null, null, null, null, between), first);
    assertFound(filter(null, null, null, null, between, between));
    assertFound(filter(sample.type(), null, null, "topic", null, between), first);
    assertFound(filter(null, null, null, "topic", null, null).withIds(List.of(second)));
    assertFound(DeadFilter.ids(List.of(second, "abc")), second);
  }

  private static DeadFilter filter(
      @Nullable String type,
      @Nullable String topic,
      @Nullable String key,
      @Nullable String error,
      @Nullable Instant from,
      @Nullable Instant before) {
    return new DeadFilter(null, type, topic, key, error, from, before);
  }

  private void assertFound(DeadFilter filter, String... ids) {
    assertThat(admin().deadIds(filter, 100)).as(filter.toString()).containsExactly(ids);
    assertThat(admin().countDead(filter)).as(filter.toString()).isEqualTo(ids.length);
    assertThat(admin().dead(filter, 10))
        .as(filter.toString())
        .extracting(DeadSummary::id)
        .containsExactly(ids);
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
    pending("p");
    // The row of the dead one too, of which there is a copy.
    long delivered = isLog() ? 6 : 5;

    assertThat(admin().prune(Duration.ofDays(1), 2)).isZero();
    assertThat(admin().prune(Duration.ZERO, 2))
        .isEqualTo(layout().keepsDelivered() ? delivered : 0);

    assertThat(rows()).isEqualTo(2);
    assertThat(admin().deadIds(DeadFilter.all(), 100)).containsExactly(dead);
    assertThat(admin().status().pending()).isEqualTo(1);
  }

  /** Pruning leaves nothing behind. */
  @Test
  @DisplayName("R46: pruning also deletes what is kept of its rows, and of lost ones, elsewhere")
  public void pruningLeavesNothingBehind() {
    dead("a");
    delivered("d");
    layout()
        .failures()
        .ifPresent(
            failures ->
                execute(
                    "INSERT INTO %s VALUES ('%s', 'lost', 1, now(), NULL, 'x')"
                        .formatted(failures.sql(), UUID.randomUUID())));

    admin().prune(Duration.ZERO, 100);

    assertThat(rowsBeside(layout().headers())).isEqualTo(layout().headers().isPresent() ? 1 : 0);
    assertThat(rowsBeside(layout().failures())).isEqualTo(layout().failures().isPresent() ? 1 : 0);
  }

  /** Nonsense is refused. */
  @Test
  @DisplayName("a negative retention, an empty batch and an empty list are refused")
  public void nonsenseIsRefused() {
    assertThatThrownBy(() -> admin().prune(Duration.ofSeconds(-1), 10))
        .hasMessageContaining("retention");
    assertThatThrownBy(() -> admin().prune(Duration.ZERO, 0)).hasMessageContaining("batchSize");
    assertThatThrownBy(() -> admin().dead(DeadFilter.all(), 0)).hasMessageContaining("limit");
    assertThatThrownBy(() -> admin().audit(0)).hasMessageContaining("limit");
  }
}
