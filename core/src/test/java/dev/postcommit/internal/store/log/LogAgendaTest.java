package dev.postcommit.internal.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Ordering;
import dev.postcommit.internal.store.CheckpointedLog.Turn;
import dev.postcommit.internal.store.Snapshot;
import dev.postcommit.internal.store.log.LogAgenda.Diversion;
import dev.postcommit.internal.store.log.LogAgenda.Plan;
import dev.postcommit.internal.store.log.LogSurplus.Place;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.Outcome.Dead;
import dev.postcommit.store.Outcome.Delivered;
import dev.postcommit.store.Outcome.Released;
import dev.postcommit.store.Outcome.Retry;
import dev.postcommit.store.StoredEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What waits, what is claimed and how far the cursor may move, without a table. */
class LogAgendaTest {
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final LogCursor READ = cursor(1_000);

  private LogAgenda agenda = new LogAgenda(Duration.ZERO);
  private long seq;

  /** Rows whose ids are given as {@code id:key}, or {@code id} for one without a key. */
  private void add(String... events) {
    List<LogReader.Row> rows = new ArrayList<>();
    for (String event : events) {
      String[] parts = event.split(":");
      @Nullable String key = parts.length > 1 ? parts[1] : null;
      rows.add(new LogReader.Row(event(parts[0], key), ++seq, cursor(seq - 1)));
    }
    agenda.add(rows);
  }

  /** An event of ten bytes. */
  private static StoredEvent event(String id, @Nullable String key) {
    return new StoredEvent(
        id,
        "default",
        "topic",
        null,
        null,
        "type",
        null,
        null,
        key,
        1,
        Map.of(),
        new byte[10],
        Instant.EPOCH,
        1,
        null);
  }

  private static LogCursor cursor(long position) {
    Snapshot seen = Snapshot.of("5:5:");
    return new LogCursor(0, seen, seen, position);
  }

  private static ClaimRequest upTo(int events) {
    return ClaimRequest.of(events, LEASE, 5);
  }

  private long take(int events) {
    return Objects.requireNonNull(agenda.take(upTo(events)));
  }

  private long takeInTurn(int events) {
    return Objects.requireNonNull(agenda.takeInTurn(upTo(events)));
  }

  private List<String> ids(long token) {
    return agenda.events(token).stream().map(StoredEvent::id).toList();
  }

  private Plan plan(long token, Outcome... outcomes) {
    return Objects.requireNonNull(agenda.plan(token, List.of(outcomes)));
  }

  private void settle(long token, Outcome... outcomes) {
    Plan plan = plan(token, outcomes);
    agenda.mark(plan);
    agenda.finish(token, plan);
  }

  private static Retry failed(String id) {
    return new Retry(id, "refused", Duration.ofMillis(7));
  }

  @Test
  void rowsAreClaimedInTheOrderOfReading() {
    add("1:a", "2:b", "3:a", "4");
    long first = take(3);
    assertThat(ids(first)).containsExactly("1", "2", "3");
    assertThat(first).isNegative();
    assertThat(ids(take(3))).containsExactly("4");
    assertThat(agenda.take(upTo(3))).isNull();
  }

  @Test
  void ofAKeyThereIsOneClaimAtATimeAndWhatIsPassedOverKeepsItsPlace() {
    add("1:a", "2:a", "3:b", "4:a", "5:b", "6:c", "7:a");
    long first = take(1);
    assertThat(ids(take(2))).containsExactly("3", "5");
    settle(first, new Delivered("1"));
    assertThat(ids(take(10))).containsExactly("2", "4", "6", "7");
  }

  @Test
  void whatWaitsForItsKeyIsNotFreeUntilThatIsSettled() {
    add("1:a", "2:a", "3:b", "4:a");
    assertThat(agenda.mayHaveFree()).isTrue();
    long first = take(1);
    assertThat(agenda.mayHaveFree()).as("not looked at").isTrue();
    long second = take(10);
    assertThat(agenda.mayHaveFree()).isFalse();
    settle(second, new Delivered("3"));
    assertThat(agenda.mayHaveFree()).isFalse();
    assertThat(agenda.hasAny(Set.of("b"))).isFalse();
    settle(first, new Delivered("1"));
    assertThat(agenda.hasAny(Set.of("a"))).isTrue();
    assertThat(ids(take(10))).containsExactly("2", "4");
    assertThat(agenda.hasAny(Set.of("a"))).isFalse();
  }

  @Test
  void whatOnlyADuplicateIdKeptOutOfAClaimIsFree() {
    add("1", "1");
    take(10);
    assertThat(agenda.mayHaveFree()).isTrue();
  }

  @Test
  void withoutOrderKeysAreNotPassedOver() {
    add("1:a", "2:a");
    ClaimRequest request = upTo(1).withOrdering(Ordering.NONE);
    assertThat(ids(Objects.requireNonNull(agenda.take(request)))).containsExactly("1");
    assertThat(ids(Objects.requireNonNull(agenda.take(request)))).containsExactly("2");
  }

  @Test
  void aClaimHasOneEventOfAnIdAndLaterOnesOfTheKeyWaitForTheOther() {
    add("1:a", "1:a", "2:a", "3:b");
    long first = take(10);
    assertThat(ids(first)).containsExactly("1", "3");
    settle(first, new Delivered("1"), new Delivered("3"));
    assertThat(agenda.cursor(READ)).isEqualTo(cursor(1));
    assertThat(ids(take(10))).containsExactly("1", "2");
  }

  @Test
  void aClaimEndsWithTheEventThatReachesItsSize() {
    add("1", "2", "3");
    long first = Objects.requireNonNull(agenda.take(upTo(10).withBatchBytes(11)));
    assertThat(ids(first)).containsExactly("1", "2");
    assertThat(ids(take(10))).containsExactly("3");
  }

  @Test
  void countsWhatWaits() {
    add("1:a", "2:a", "3:b");
    assertThat(agenda.waitingBytes()).isEqualTo(30);
    long first = take(1);
    take(10);
    assertThat(agenda.waiting()).isEqualTo(1);
    assertThat(agenda.waitingBytes()).isEqualTo(10);
    settle(first, new Released("1"));
    assertThat(agenda.waitingBytes()).isEqualTo(20);
    agenda.close(Set.of("a"), 0);
    agenda.diverted(agenda.toDivert());
    assertThat(agenda.waitingBytes()).isZero();
    add("4");
    agenda.clear();
    assertThat(agenda.waiting()).isZero();
    assertThat(agenda.waitingBytes()).isZero();
  }

  @Test
  void theCursorStopsBeforeTheFirstThatIsNotSettled() {
    add("1:a", "2:b", "3:c");
    long claim = take(10);
    settle(claim, new Delivered("2"));
    assertThat(agenda.cursor(READ)).isEqualTo(cursor(0));
    settle(claim, new Delivered("1"));
    assertThat(agenda.cursor(READ)).isEqualTo(cursor(2));
    assertThat(agenda.isDone()).isFalse();
    settle(claim, new Delivered("3"));
    assertThat(agenda.cursor(READ)).isEqualTo(READ);
    assertThat(agenda.isDone()).isTrue();
    assertThat(agenda.isIdle()).isTrue();
  }

  @Test
  void whatFailsIsDivertedWithWhatIsLeftOfItsKey() {
    add("1:a", "2:b", "3:a", "4:c", "5:a");
    long claim = take(4);
    Plan plan = plan(claim, failed("1"), new Delivered("2"), new Released("3"), new Released("4"));
    assertThat(plan.diversions())
        .containsExactly(
            new Diversion(1, "pending", 1, 7L, "refused"),
            new Diversion(3, "pending", 0, null, null));
    assertThat(plan.keys()).containsExactly("a");
    agenda.mark(plan);
    assertThat(agenda.toDivert()).as("while the key is claimed").isEmpty();
    agenda.finish(claim, plan);
    assertThat(agenda.toDivert()).containsExactly(Diversion.waiting(5));
    agenda.diverted(agenda.toDivert());
    assertThat(ids(take(10))).containsExactly("4");
    assertThat(agenda.cursor(READ)).isEqualTo(cursor(3));
  }

  @Test
  void aDeadEventClosesNoKey() {
    add("1:a", "2:a");
    long claim = take(1);
    Plan plan = plan(claim, new Dead("1", "poisonous"));
    assertThat(plan.diversions()).containsExactly(new Diversion(1, "dead", 1, null, "poisonous"));
    assertThat(plan.keys()).isEmpty();
  }

  @Test
  void aKeyClosedSinceItWasLookedAtStaysClosed() {
    add("1:a", "2:a");
    long before = agenda.closings();
    settle(take(1), failed("1"));
    agenda.close(Set.of(), before);
    assertThat(agenda.take(upTo(1))).isNull();
    agenda.close(Set.of(), agenda.closings());
    assertThat(ids(take(1))).containsExactly("2");
  }

  @Test
  void aKeyStaysClosedOfWhichAReleasedEventWasDivertedSince() {
    add("1:a", "2:a");
    long claim = take(1);
    agenda.close(Set.of("a"), agenda.closings());
    long before = agenda.closings();
    Plan plan = plan(claim, new Released("1"));
    assertThat(plan.diversions()).containsExactly(Diversion.waiting(1));
    assertThat(plan.keys()).containsExactly("a");
    agenda.mark(plan);
    agenda.finish(claim, plan);
    agenda.close(Set.of(), before);
    assertThat(agenda.take(upTo(1))).as("what comes after the diverted one").isNull();
  }

  @Test
  void aClaimWithoutAllOfTheseEventsIsNotSettled() {
    add("1:a", "2:b");
    long claim = take(1);
    assertThat(agenda.plan(claim, List.of(new Delivered("1"), new Delivered("2")))).isNull();
    assertThat(agenda.plan(claim - 1, List.of(new Delivered("1")))).isNull();
    agenda.clear();
    assertThat(agenda.plan(claim, List.of(new Delivered("1")))).isNull();
  }

  @Test
  void aClaimThatIsOverGoesBackToItsPlaceWithoutWhatIsSettled() {
    add("1:a", "2:b", "3:c", "4:d");
    long claim = take(3);
    agenda.mark(plan(claim, new Delivered("2")));
    agenda.expire();
    assertThat(agenda.holds(claim)).isTrue();
    agenda.renew(claim, Duration.ofNanos(-1));
    agenda.expire();
    assertThat(agenda.holds(claim)).isFalse();
    assertThat(agenda.renew(claim, LEASE)).isFalse();
    assertThat(ids(take(10))).containsExactly("1", "3", "4");
  }

  @Test
  void inTurnNothingIsLeftOutAndWhileThereIsAClaimRowsGather() {
    add("1:a", "2:a", "3:a");
    long first = takeInTurn(2);
    assertThat(ids(first)).containsExactly("1", "2");
    assertThat(agenda.takeInTurn(upTo(2))).isNull();
    add("4:b");
    long second = takeInTurn(2);
    assertThat(ids(second)).containsExactly("3", "4");
    assertThat(agenda.turn(first)).isEqualTo(Turn.NOW);
    assertThat(agenda.turn(second)).isEqualTo(Turn.LATER);
    assertThat(agenda.cursorAfter(2, READ)).isEqualTo(cursor(2));
    assertThat(agenda.cursorAfter(4, READ)).isEqualTo(READ);
    settle(first, new Delivered("1"), new Delivered("2"));
    assertThat(agenda.turn(second)).isEqualTo(Turn.NOW);
    assertThat(agenda.turn(first)).isEqualTo(Turn.NEVER);
  }

  @Test
  void inTurnNothingComesAfterAClosedKeyOrWhatWasGivenBack() {
    add("1:a", "2:b", "3:c");
    agenda.close(Set.of("b"), 0);
    long first = takeInTurn(3);
    assertThat(ids(first)).containsExactly("1");
    agenda.close(Set.of(), 0);
    long second = takeInTurn(2);
    settle(first, new Released("1"));
    assertThat(agenda.turn(second)).isEqualTo(Turn.NEVER);
  }

  @Test
  void inTurnAClaimIsNotDeliveredAfterAnEventOfItsKeysWasDiverted() {
    add("1:a", "2:b", "3:a", "4:c", "5:a");
    long first = takeInTurn(3);
    long second = takeInTurn(2);
    settle(first, failed("1"));
    assertThat(agenda.isNext(first)).as("the rest of the first").isTrue();
    settle(first, new Delivered("2"), new Released("3"));
    assertThat(agenda.turn(second)).isEqualTo(Turn.NEVER);
    assertThat(plan(second, new Released("4"), new Released("5")).diversions())
        .containsExactly(Diversion.waiting(5));
  }

  @Test
  void rowsOfABusyKeyMakeRoomAndAreReadAgainInOrder() {
    add("1:a", "2:a", "3:a", "4:a", "5:a", "6:b");
    long token = take(1);
    assertThat(agenda.makeRoom(4, 40)).isTrue();
    assertThat(agenda.waiting()).as("a share of a, and b").isEqualTo(2);
    add("7:a", "8:b");
    assertThat(agenda.waiting()).isEqualTo(3);
    assertThat(agenda.cursor(READ)).isEqualTo(cursor(0));

    settle(token, new Delivered("1"));
    assertThat(agenda.cursor(READ)).isEqualTo(cursor(1));
    List<Place> places = agenda.toReadAgain(9, 9, false);
    assertThat(places).extracting(Place::seq).containsExactly(3L, 4L, 5L, 7L);
    agenda.addAgain(
        places.subList(0, 2),
        List.of(
            new LogReader.Row(event("3", "a"), 3, places.get(0).before()),
            new LogReader.Row(event("4", "a"), 4, places.get(1).before())));
    assertThat(ids(take(9))).containsExactly("2", "3", "4", "6", "8");
    assertThat(agenda.toReadAgain(9, 9, true)).extracting(Place::seq).containsExactly(5L, 7L);
    assertThat(agenda.toReadAgain(9, 9, false)).isEmpty();
  }

  @Test
  void rowsOfAllKeysAreReadAgainAtOnce() {
    add("1:a", "2:b", "3:a", "4:b", "5:a", "6:b", "7:a", "8:b");
    long token = take(2);
    assertThat(agenda.makeRoom(4, 400)).isTrue();
    assertThat(agenda.waiting()).as("one of each").isEqualTo(2);
    settle(token, new Delivered("1"), new Delivered("2"));
    assertThat(agenda.toReadAgain(2, 9, false)).extracting(Place::seq).containsExactly(5L, 6L);
    assertThat(agenda.toReadAgain(3, 3, false)).extracting(Place::seq).containsExactly(5L, 6L, 7L);
  }

  @Test
  void rowsThatWereReadAgainComeToNothingIfOthersComeFirstByThen() {
    add("1:a", "2:a", "3:a", "4:a", "5:a", "6:a");
    take(1);
    assertThat(agenda.makeRoom(4, 400)).isTrue();
    List<Place> places = agenda.toReadAgain(9, 2, true);
    assertThat(places).extracting(Place::seq).containsExactly(4L, 5L);
    assertThat(agenda.makeRoom(2, 400)).isTrue();
    assertThat(agenda.waiting()).isEqualTo(1);

    agenda.addAgain(
        places,
        List.of(
            new LogReader.Row(event("4", "a"), 4, places.get(0).before()),
            new LogReader.Row(event("5", "a"), 5, places.get(1).before())));
    assertThat(agenda.waiting()).isEqualTo(1);
    assertThat(agenda.toReadAgain(9, 9, true))
        .extracting(Place::seq)
        .containsExactly(3L, 4L, 5L, 6L);
  }

  @Test
  void rowsOfAKeyThatIsNotBusyForLongStayInMemory() {
    agenda = new LogAgenda(Duration.ofDays(1));
    add("1:a", "2:a", "3:a");
    take(1);
    assertThat(agenda.makeRoom(2, 20)).isFalse();
    assertThat(agenda.waiting()).isEqualTo(2);
  }

  @Test
  void theCursorWaitsForRowsThatAreToBeReadAgain() {
    add("1:a", "2:a", "3:a", "4:b");
    long first = take(1);
    agenda.makeRoom(2, 20);
    settle(first, new Delivered("1"));
    settle(take(9), new Delivered("2"), new Delivered("4"));
    assertThat(agenda.cursor(READ)).isEqualTo(cursor(2));
    assertThat(agenda.isDone()).isFalse();
  }

  @Test
  void rowsOfAClosedKeyThatWereToBeReadAgainAreDiverted() {
    add("1:a", "2:a", "3:a", "4:a");
    long token = take(1);
    agenda.makeRoom(2, 20);
    settle(token, new Retry("1", "no", Duration.ofHours(1)));
    assertThat(agenda.keysThatMayWait(true)).containsExactly("a");
    List<Diversion> diversions = agenda.toDivert();
    assertThat(diversions).extracting(Diversion::seq).containsExactly(2L, 3L, 4L);
    assertThat(agenda.toReadAgain(9, 9, false)).isEmpty();
    agenda.diverted(diversions);
    assertThat(agenda.isDone()).isTrue();
  }

  @Test
  void whatIsSettledLeavesThoughAnEarlierRowIsNot() {
    add("1:a", "2:b", "3:c");
    take(1);
    settle(take(9), new Delivered("2"), new Delivered("3"));
    assertThat(agenda.cursor(READ)).isEqualTo(cursor(0));
    assertThat(agenda.cursorAfter(1, READ)).isEqualTo(READ);
  }
}
