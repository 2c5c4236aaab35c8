package dev.postcommit.internal.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.Ordering;
import dev.postcommit.internal.store.CheckpointedLog.State;
import dev.postcommit.internal.store.Snapshot;
import dev.postcommit.internal.store.log.LogClaim.Diversion;
import dev.postcommit.internal.store.log.LogClaim.Plan;
import dev.postcommit.internal.store.log.LogInFlight.Loading;
import dev.postcommit.internal.store.log.LogSurplus.Stub;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.LeaseLostException;
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
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What waits, what is claimed and how far the cursor may move, without a table. */
class LogInFlightTest {
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final LogCursor READ = cursor(1_000);

  private LogInFlight inFlight = new LogInFlight("log", Duration.ZERO, false);
  private long pages;
  private long seq;

  /** Rows whose ids are given as {@code id:key}, or {@code id} for one without a key. */
  private void add(String... events) {
    List<LogEntry> rows = new ArrayList<>();
    pages++;
    for (String event : events) {
      String[] parts = event.split(":");
      @Nullable String key = parts.length > 1 ? parts[1] : null;
      rows.add(new LogEntry(event(parts[0], key), pages, ++seq, cursor(seq - 1)));
    }
    inFlight.add(rows, Set.of(), -1, READ);
  }

  /** A page without rows reports the keys that wait. */
  private void report(Set<String> waitingKeys, long asOf) {
    inFlight.add(List.of(), waitingKeys, asOf, READ);
  }

  private long now() {
    return Objects.requireNonNull(inFlight.question(upTo(1_000), false, true)).asOf();
  }

  /** How many events wait: each has ten bytes. */
  private long waiting() {
    return inFlight.waitingBytes() / 10;
  }

  private LogCursor settledUpTo() {
    return inFlight.settled().upTo();
  }

  private static LogEntry loaded(String id, Stub stub) {
    return new LogEntry(event(id, "a"), stub.page(), stub.seq(), stub.before());
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

  private Claim take(int events) {
    return Objects.requireNonNull(inFlight.claim(upTo(events)));
  }

  private static List<String> ids(Claim claim) {
    return claim.events().stream().map(StoredEvent::id).toList();
  }

  private Plan plan(Claim claim, Outcome... outcomes) {
    return inFlight.plan(claim, List.of(outcomes));
  }

  private void settle(Claim claim, Outcome... outcomes) {
    Plan plan = plan(claim, outcomes);
    inFlight.mark(plan);
    inFlight.finish(claim, plan);
  }

  private static void assertLost(ThrowingCallable settlement) {
    assertThatThrownBy(settlement).isInstanceOf(LeaseLostException.class);
  }

  private static Retry failed(String id) {
    return new Retry(id, "refused", Duration.ofMillis(7));
  }

  @Test
  void rowsAreClaimedInTheOrderOfReading() {
    add("1:a", "2:b", "3:a", "4");
    Claim first = take(3);
    assertThat(ids(first)).containsExactly("1", "2", "3");
    assertThat(first.token()).isNegative();
    assertThat(ids(take(3))).containsExactly("4");
    assertThat(inFlight.claim(upTo(3))).isNull();
  }

  @Test
  void ofAKeyThereIsOneClaimAtATimeAndWhatIsPassedOverKeepsItsPlace() {
    add("1:a", "2:a", "3:b", "4:a", "5:b", "6:c", "7:a");
    Claim first = take(1);
    assertThat(ids(take(2))).containsExactly("3", "5");
    settle(first, new Delivered("1"));
    assertThat(ids(take(10))).containsExactly("2", "4", "6", "7");
  }

  @Test
  void whatWaitsForItsKeyIsNotFreeUntilThatIsSettled() {
    add("1:a", "2:a", "3:b", "4:a");
    assertThat(inFlight.mayHaveFree()).isTrue();
    Claim first = take(1);
    assertThat(inFlight.mayHaveFree()).as("not looked at").isTrue();
    Claim second = take(10);
    assertThat(inFlight.mayHaveFree()).isFalse();
    settle(second, new Delivered("3"));
    assertThat(inFlight.mayHaveFree()).isFalse();
    assertThat(inFlight.hasAny(Set.of("b"))).isFalse();
    settle(first, new Delivered("1"));
    assertThat(inFlight.hasAny(Set.of("a"))).isTrue();
    assertThat(ids(take(10))).containsExactly("2", "4");
    assertThat(inFlight.hasAny(Set.of("a"))).isFalse();
  }

  @Test
  void whatOnlyADuplicateIdKeptOutOfAClaimIsFree() {
    add("1", "1");
    take(10);
    assertThat(inFlight.mayHaveFree()).isTrue();
  }

  @Test
  void withoutOrderKeysAreNotPassedOver() {
    add("1:a", "2:a");
    ClaimRequest request = upTo(1).withOrdering(Ordering.NONE);
    assertThat(ids(Objects.requireNonNull(inFlight.claim(request)))).containsExactly("1");
    assertThat(ids(Objects.requireNonNull(inFlight.claim(request)))).containsExactly("2");
  }

  @Test
  void aClaimHasOneEventOfAnIdAndLaterOnesOfTheKeyWaitForTheOther() {
    add("1:a", "1:a", "2:a", "3:b");
    Claim first = take(10);
    assertThat(ids(first)).containsExactly("1", "3");
    settle(first, new Delivered("1"), new Delivered("3"));
    assertThat(settledUpTo()).isEqualTo(cursor(1));
    assertThat(ids(take(10))).containsExactly("1", "2");
  }

  @Test
  void aClaimEndsWithTheEventThatReachesItsSize() {
    add("1", "2", "3");
    Claim first = Objects.requireNonNull(inFlight.claim(upTo(10).withBatchBytes(11)));
    assertThat(ids(first)).containsExactly("1", "2");
    assertThat(ids(take(10))).containsExactly("3");
  }

  @Test
  void countsWhatWaits() {
    add("1:a", "2:a", "3:b");
    assertThat(inFlight.waitingBytes()).isEqualTo(30);
    Claim first = take(1);
    take(10);
    assertThat(waiting()).isEqualTo(1);
    assertThat(inFlight.waitingBytes()).isEqualTo(10);
    settle(first, new Released("1"));
    assertThat(inFlight.waitingBytes()).isEqualTo(20);
    report(Set.of("a"), 0);
    inFlight.diverted(inFlight.toDivert());
    assertThat(inFlight.waitingBytes()).isZero();
    add("4");
    inFlight.clear();
    assertThat(waiting()).isZero();
    assertThat(inFlight.waitingBytes()).isZero();
  }

  @Test
  void theCursorStopsBeforeTheFirstThatIsNotSettled() {
    add("1:a", "2:b", "3:c");
    Claim claim = take(10);
    settle(claim, new Delivered("2"));
    assertThat(settledUpTo()).isEqualTo(cursor(0));
    settle(claim, new Delivered("1"));
    assertThat(settledUpTo()).isEqualTo(cursor(2));
    assertThat(inFlight.cursorIfDone()).isNull();
    settle(claim, new Delivered("3"));
    assertThat(settledUpTo()).isEqualTo(READ);
    assertThat(inFlight.cursorIfDone()).isEqualTo(READ);
    assertThat(inFlight.isIdle()).isTrue();
  }

  @Test
  void whatFailsIsDivertedWithWhatIsLeftOfItsKey() {
    add("1:a", "2:b", "3:a", "4:c", "5:a");
    Claim claim = take(4);
    Plan plan = plan(claim, failed("1"), new Delivered("2"), new Released("3"), new Released("4"));
    assertThat(plan.diversions())
        .containsExactly(
            new Diversion(1, "pending", 1, 7L, "refused"),
            new Diversion(3, "pending", 0, null, null));
    assertThat(plan.keys()).containsExactly("a");
    inFlight.mark(plan);
    assertThat(inFlight.toDivert()).as("while the key is claimed").isEmpty();
    inFlight.finish(claim, plan);
    assertThat(inFlight.toDivert()).containsExactly(Diversion.waiting(5));
    inFlight.diverted(inFlight.toDivert());
    assertThat(ids(take(10))).containsExactly("4");
    assertThat(settledUpTo()).isEqualTo(cursor(3));
  }

  @Test
  void aDeadEventClosesNoKey() {
    add("1:a", "2:a");
    Claim claim = take(1);
    Plan plan = plan(claim, new Dead("1", "poisonous"));
    assertThat(plan.diversions()).containsExactly(new Diversion(1, "dead", 1, null, "poisonous"));
    assertThat(plan.keys()).isEmpty();
  }

  @Test
  void aKeyClosedSinceItWasLookedAtStaysClosed() {
    add("1:a", "2:a");
    long before = now();
    settle(take(1), failed("1"));
    report(Set.of(), before);
    assertThat(inFlight.claim(upTo(1))).isNull();
    report(Set.of(), now());
    assertThat(ids(take(1))).containsExactly("2");
  }

  @Test
  void aKeyStaysClosedOfWhichAReleasedEventWasDivertedSince() {
    add("1:a", "2:a");
    Claim claim = take(1);
    report(Set.of("a"), now());
    long before = now();
    Plan plan = plan(claim, new Released("1"));
    assertThat(plan.diversions()).containsExactly(Diversion.waiting(1));
    assertThat(plan.keys()).containsExactly("a");
    inFlight.mark(plan);
    inFlight.finish(claim, plan);
    report(Set.of(), before);
    assertThat(inFlight.claim(upTo(1))).as("what comes after the diverted one").isNull();
  }

  @Test
  void aClaimWithoutAllOfTheseEventsIsNotSettled() {
    add("1:a", "2:b");
    Claim claim = take(1);
    assertLost(() -> plan(claim, new Delivered("1"), new Delivered("2")));
    Claim other = new Claim(claim.token() - 1, claim.events());
    assertLost(() -> plan(other, new Delivered("1")));
    inFlight.clear();
    assertLost(() -> plan(claim, new Delivered("1")));
  }

  @Test
  void aClaimThatIsOverGoesBackToItsPlaceWithoutWhatIsSettled() {
    add("1:a", "2:b", "3:c", "4:d");
    Claim claim = take(3);
    inFlight.mark(plan(claim, new Delivered("2")));
    inFlight.expire();
    assertThat(inFlight.holds(claim)).isTrue();
    inFlight.renew(claim, Duration.ofNanos(-1));
    inFlight.expire();
    assertThat(inFlight.holds(claim)).isFalse();
    assertLost(() -> inFlight.renew(claim, LEASE));
    assertThat(ids(take(10))).containsExactly("1", "3", "4");
  }

  @Test
  void gaplessClaimsLeaveNothingOutAndWhileThereIsAClaimRowsGather() {
    inFlight = new LogInFlight("log", Duration.ZERO, true);
    add("1:a", "2:a", "3:a");
    Claim first = take(2);
    assertThat(ids(first)).containsExactly("1", "2");
    assertThat(inFlight.claim(upTo(2))).isNull();
    add("4:b");
    Claim second = take(2);
    assertThat(ids(second)).containsExactly("3", "4");
    assertThat(inFlight.state(first)).isEqualTo(State.READY);
    assertThat(inFlight.state(second)).isEqualTo(State.WAITING);
    assertThat(inFlight.cursorAfter(first, 2)).isEqualTo(cursor(2));
    assertThat(inFlight.cursorAfter(first, 4)).isEqualTo(READ);
    settle(first, new Delivered("1"), new Delivered("2"));
    assertThat(inFlight.state(second)).isEqualTo(State.READY);
    assertThat(inFlight.state(first)).isEqualTo(State.STALE);
  }

  @Test
  void noGaplessClaimComesAfterAClosedKeyOrWhatWasGivenBack() {
    inFlight = new LogInFlight("log", Duration.ZERO, true);
    add("1:a", "2:b", "3:c");
    report(Set.of("b"), 0);
    Claim first = take(3);
    assertThat(ids(first)).containsExactly("1");
    report(Set.of(), 0);
    Claim second = take(2);
    settle(first, new Released("1"));
    assertThat(inFlight.state(second)).isEqualTo(State.STALE);
  }

  @Test
  void aGaplessClaimIsNotDeliveredAfterAnEventOfItsKeysWasDiverted() {
    inFlight = new LogInFlight("log", Duration.ZERO, true);
    add("1:a", "2:b", "3:a", "4:c", "5:a");
    Claim first = take(3);
    Claim second = take(2);
    settle(first, failed("1"));
    assertThat(inFlight.cursorAfter(first, 0)).as("the rest of the first").isEqualTo(cursor(1));
    settle(first, new Delivered("2"), new Released("3"));
    assertThat(inFlight.state(second)).isEqualTo(State.STALE);
    assertThat(plan(second, new Released("4"), new Released("5")).diversions())
        .containsExactly(Diversion.waiting(5));
  }

  @Test
  void rowsOfABusyKeyMakeRoomAndAreReadAgainInOrder() {
    add("1:a", "2:a", "3:a", "4:a", "5:a", "6:b");
    Claim token = take(1);
    assertThat(inFlight.makeRoom(4, 40)).isTrue();
    assertThat(waiting()).as("a share of a, and b").isEqualTo(2);
    add("7:a", "8:b");
    assertThat(waiting()).isEqualTo(3);
    assertThat(settledUpTo()).isEqualTo(cursor(0));

    settle(token, new Delivered("1"));
    assertThat(settledUpTo()).isEqualTo(cursor(1));
    List<Stub> stubs = inFlight.toLoad(9, 9, false);
    assertThat(stubs).extracting(Stub::seq).containsExactly(3L, 4L, 5L, 7L);
    inFlight.loaded(
        new Loading(stubs.subList(0, 2), 0),
        List.of(loaded("3", stubs.get(0)), loaded("4", stubs.get(1))));
    assertThat(ids(take(9))).containsExactly("2", "3", "4", "6", "8");
    assertThat(inFlight.toLoad(9, 9, true)).extracting(Stub::seq).containsExactly(5L, 7L);
    assertThat(inFlight.toLoad(9, 9, false)).isEmpty();
  }

  @Test
  void rowsOfAllKeysAreReadAgainAtOnce() {
    add("1:a", "2:b", "3:a", "4:b", "5:a", "6:b", "7:a", "8:b");
    Claim token = take(2);
    assertThat(inFlight.makeRoom(4, 400)).isTrue();
    assertThat(waiting()).as("one of each").isEqualTo(2);
    settle(token, new Delivered("1"), new Delivered("2"));
    assertThat(inFlight.toLoad(2, 9, false)).extracting(Stub::seq).containsExactly(5L, 6L);
    assertThat(inFlight.toLoad(3, 3, false)).extracting(Stub::seq).containsExactly(5L, 6L, 7L);
  }

  @Test
  void rowsThatWereReadAgainComeToNothingIfOthersComeFirstByThen() {
    add("1:a", "2:a", "3:a", "4:a", "5:a", "6:a");
    take(1);
    assertThat(inFlight.makeRoom(4, 400)).isTrue();
    List<Stub> stubs = inFlight.toLoad(9, 2, true);
    assertThat(stubs).extracting(Stub::seq).containsExactly(4L, 5L);
    assertThat(inFlight.makeRoom(2, 400)).isTrue();
    assertThat(waiting()).isEqualTo(1);

    inFlight.loaded(
        new Loading(stubs, 0), List.of(loaded("4", stubs.get(0)), loaded("5", stubs.get(1))));
    assertThat(waiting()).isEqualTo(1);
    assertThat(inFlight.toLoad(9, 9, true)).extracting(Stub::seq).containsExactly(3L, 4L, 5L, 6L);
  }

  @Test
  void rowsOfAKeyThatIsNotBusyForLongStayInMemory() {
    inFlight = new LogInFlight("log", Duration.ofDays(1), false);
    add("1:a", "2:a", "3:a");
    take(1);
    assertThat(inFlight.makeRoom(2, 20)).isFalse();
    assertThat(waiting()).isEqualTo(2);
  }

  @Test
  void theCursorWaitsForRowsThatAreToBeReadAgain() {
    add("1:a", "2:a", "3:a", "4:b");
    Claim first = take(1);
    inFlight.makeRoom(2, 20);
    settle(first, new Delivered("1"));
    settle(take(9), new Delivered("2"), new Delivered("4"));
    assertThat(settledUpTo()).isEqualTo(cursor(2));
    assertThat(inFlight.cursorIfDone()).isNull();
  }

  @Test
  void rowsOfAClosedKeyThatWereToBeReadAgainAreDiverted() {
    add("1:a", "2:a", "3:a", "4:a");
    Claim token = take(1);
    inFlight.makeRoom(2, 20);
    settle(token, new Retry("1", "no", Duration.ofHours(1)));
    assertThat(inFlight.keysThatMayWait(true)).containsExactly("a");
    List<Diversion> diversions = inFlight.toDivert();
    assertThat(diversions).extracting(Diversion::seq).containsExactly(2L, 3L, 4L);
    assertThat(inFlight.toLoad(9, 9, false)).isEmpty();
    inFlight.diverted(diversions);
    assertThat(inFlight.cursorIfDone()).isEqualTo(READ);
  }

  @Test
  void whatIsSettledLeavesThoughAnEarlierRowIsNot() {
    add("1:a", "2:b", "3:c");
    Claim first = take(1);
    settle(take(9), new Delivered("2"), new Delivered("3"));
    assertThat(settledUpTo()).isEqualTo(cursor(0));
    assertThat(inFlight.cursorAfter(first, 1)).isEqualTo(READ);
  }
}
