package dev.postcommit.internal.store.log;

import dev.postcommit.Ordering;
import dev.postcommit.internal.store.CheckpointedLog.State;
import dev.postcommit.internal.store.log.LogClaim.Diversion;
import dev.postcommit.internal.store.log.LogClaim.Plan;
import dev.postcommit.internal.store.log.LogSurplus.Stub;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a log that were read and are not settled: which {@linkplain LogWaiting wait}, which are
 * {@linkplain LogClaim claimed}, and how far the cursor may move.
 *
 * <p>One claim at a time has events of a key. The keys of failed events are {@linkplain LogKeys
 * closed}: their other events are diverted, not claimed. For exactly once, claims are made
 * <i>gapless</i> instead: each has the rows that come next, whatever their keys.
 *
 * <p>Safe for use by many threads. Its lock guards all of its parts, and is never held during a
 * statement.
 */
final class LogInFlight {

  /** How far everything is settled, and how far it was read. */
  record Settled(LogCursor upTo, LogCursor read) {}

  /** The keys that a page is asked about; what it reports is as of this time. */
  record Question(Set<String> keys, long asOf) {}

  /** Rows to load again, up to a size, which is reserved for them. */
  record Loading(List<Stub> stubs, long bytes) {}

  /** How many rows are loaded at once: few, because others wait for that, or for the database. */
  private static final int LOADED_AT_ONCE = 100;

  private final String table;
  private final boolean isGapless;
  private final NavigableSet<LogEntry> unsettled = new TreeSet<>(LogEntry.IN_ORDER);
  private final LogWaiting waiting = new LogWaiting();
  private final LogSurplus surplus = new LogSurplus();
  private final LogKeys keys;
  private final Map<Long, LogClaim> claims = new HashMap<>();
  private long reserved;
  private long tokens;
  private long generation;

  /** How far the log was read; null from a {@link #clear} to the next {@link #begin}. */
  private @Nullable LogCursor read;

  /**
   * No rows.
   *
   * @param patience how long a key may be busy before others get the memory that its rows take
   */
  LogInFlight(String table, Duration patience, boolean isGapless) {
    this.table = table;
    this.isGapless = isGapless;
    this.keys = new LogKeys(patience);
  }

  /** Forgets everything: claims made before cannot be settled any more. */
  synchronized void clear() {
    unsettled.clear();
    waiting.clear();
    surplus.clear();
    claims.clear();
    keys.clear();
    read = null;
    generation++;
  }

  /** Reading begins at a cursor. */
  synchronized void begin(LogCursor from) {
    clear();
    read = from;
  }

  /** Whether reading has begun since everything was forgotten. */
  synchronized boolean hasBegun() {
    return read != null;
  }

  /** What to ask the next page, or null if enough waits already. */
  synchronized @Nullable Question question(
      ClaimRequest request, boolean hasClaim, boolean anyWaits) {
    if (hasClaim ? waiting.size() > 0 : !hasRoom(request)) {
      return null;
    }
    return new Question(keysThatMayWait(anyWaits), keys.closings());
  }

  /** Whether more rows may wait. Rows of slow keys are reduced to stubs to make room. */
  private boolean hasRoom(ClaimRequest request) {
    if (surplus.isFull()) {
      return false;
    }
    if (isFull(request) && !isGapless && request.ordering() == Ordering.PER_KEY) {
      makeRoom(LogWaiting.most(request), LogWaiting.mostBytes(request));
    }
    return !isFull(request);
  }

  private boolean isFull(ClaimRequest request) {
    return waiting.isFull(request, reserved);
  }

  /**
   * The keys of rows in memory that may have diverted events, or may get some. Rows that are read
   * later report about their own keys.
   *
   * @param anyWaits whether any key was reported to wait; if not, and none is closed, none may wait
   */
  synchronized Set<String> keysThatMayWait(boolean anyWaits) {
    if (!anyWaits && keys.areAllOpen()) {
      return Set.of();
    }
    Set<String> inMemory = waiting.keys();
    inMemory.addAll(keys.busy());
    inMemory.addAll(surplus.keys());
    return inMemory;
  }

  /**
   * Adds a page; returns whether some of its rows wait with their payloads.
   *
   * @param waitingKeys keys with diverted events as of {@code asOf}; those closed since stay closed
   * @param readTo how far the log is read with this page
   */
  synchronized boolean add(
      List<LogEntry> rows, Set<String> waitingKeys, long asOf, LogCursor readTo) {
    int before = waiting.size();
    Map<String, List<Stub>> stubs = new LinkedHashMap<>();
    for (LogEntry row : rows) {
      @Nullable String key = row.key();
      if (key != null && surplus.has(key)) {
        stubs.computeIfAbsent(key, same -> new ArrayList<>()).add(row.stub());
      } else {
        unsettled.add(row);
        waiting.add(row);
      }
    }
    stubs.forEach((key, of) -> surplus.add(key, of, false));
    keys.close(waitingKeys, asOf);
    read = readTo;
    return waiting.size() > before;
  }

  /**
   * Reduces rows to stubs if they wait for earlier events of their keys whose delivery takes long;
   * returns whether there were any.
   */
  synchronized boolean makeRoom(int most, long mostBytes) {
    Map<String, List<LogEntry>> taken = waiting.takeSurplus(most, mostBytes, keys);
    taken.forEach(
        (key, entries) -> {
          entries.forEach(unsettled::remove);
          surplus.add(key, entries.stream().map(LogEntry::stub).toList(), true);
        });
    return !taken.isEmpty();
  }

  /** The size of the payloads that wait, and what is reserved for others. */
  synchronized long waitingBytes() {
    return waiting.bytes() + reserved;
  }

  /** Whether rows are to be loaded: those of keys that are busy, or those of the others. */
  synchronized boolean hasToLoad(ClaimRequest request, boolean ofBusy) {
    return !toLoad(request, ofBusy).isEmpty();
  }

  /** The rows to load next; null if there are none, or there is no room for them. */
  synchronized @Nullable Loading load(ClaimRequest request, boolean ofBusy) {
    List<Stub> stubs = toLoad(request, ofBusy);
    long left = LogWaiting.mostBytes(request) - waitingBytes();
    // What is loaded ahead leaves room for other keys, which are read meanwhile.
    long bytes = ofBusy ? left / 2 : left;
    if (stubs.isEmpty() || bytes <= 0) {
      return null;
    }
    reserved += bytes;
    return new Loading(stubs, bytes);
  }

  private List<Stub> toLoad(ClaimRequest request, boolean ofBusy) {
    if (surplus.isEmpty()) {
      return List.of();
    }
    int share = LogWaiting.most(request) / (2 * surplus.keys().size());
    int few = Math.max(1, Math.min(request.batchSize(), share));
    return toLoad(few, LOADED_AT_ONCE, ofBusy);
  }

  /**
   * The stubs to load next, in order: of each key with fewer than {@code few} waiting rows, as many
   * as are missing, and {@code most} in all.
   */
  synchronized List<Stub> toLoad(int few, int most, boolean ofBusy) {
    Map<String, Integer> counts = waiting.count(surplus.keys());
    return surplus.next(
        key ->
            !keys.isClosed(key) && keys.busy().contains(key) == ofBusy
                ? few - counts.getOrDefault(key, 0)
                : 0,
        most);
  }

  /**
   * Ends a loading. The rows are dropped if they are not the first of their keys any more, or were
   * diverted.
   *
   * @param rows the first of the rows, as many as fitted; null for each that is gone
   */
  synchronized void loaded(Loading loading, List<@Nullable LogEntry> rows) {
    reserved -= loading.bytes();
    List<Stub> stubs = loading.stubs().subList(0, rows.size());
    if (!surplus.beginsWith(stubs)) {
      return;
    }
    List<LogEntry> found = rows.stream().flatMap(Stream::ofNullable).toList();
    unsettled.addAll(found);
    giveBack(found);
    surplus.removeFirst(new HashSet<>(stubs.stream().map(Stub::seq).toList()));
  }

  /** Whether rows of these keys are neither claimed nor settled. */
  synchronized boolean hasAny(Set<String> of) {
    return !Collections.disjoint(of, surplus.keys()) || waiting.hasAny(of);
  }

  /** Whether some rows may be claimed before others of their keys are settled. */
  synchronized boolean mayHaveFree() {
    boolean isFree = waiting.mayHaveFree() || !keys.areAllOpen();
    return isGapless || (waiting.size() > 0 && isFree) || !keys.busy().containsAll(surplus.keys());
  }

  /** The waiting rows whose keys are closed and not busy. */
  synchronized List<Diversion> toDivert() {
    if (keys.areAllOpen()) {
      return List.of();
    }
    List<Diversion> diversions = waiting.toDivert(keys);
    surplus.some(keys::diverts).forEach(stub -> diversions.add(Diversion.waiting(stub.seq())));
    return diversions;
  }

  /** Settles the rows that {@link #toDivert} returned. */
  synchronized void diverted(List<Diversion> diversions) {
    Set<Long> seqs = new HashSet<>();
    diversions.forEach(diversion -> seqs.add(diversion.seq()));
    waiting.remove(seqs).forEach(unsettled::remove);
    surplus.removeFirst(seqs);
  }

  /**
   * A claim on rows that may be delivered now, or null. Its token is negative. While there is a
   * gapless claim, the next one is made only if it is full, so that rows gather.
   */
  synchronized @Nullable Claim claim(ClaimRequest request) {
    if (isGapless && !claims.isEmpty() && waiting.size() < request.batchSize()) {
      return null;
    }
    Map<String, LogEntry> taken =
        isGapless ? waiting.takeGapless(request, keys) : waiting.take(request, keys);
    if (taken.isEmpty()) {
      return null;
    }
    taken.values().forEach(keys::occupy);
    LogClaim claim = new LogClaim(request, taken);
    claims.put(--tokens, claim);
    return new Claim(tokens, claim.events());
  }

  /** Whether there are no claims. */
  synchronized boolean isIdle() {
    return claims.isEmpty();
  }

  synchronized boolean holds(Claim claim) {
    return claims.containsKey(claim.token());
  }

  /** Extends a claim to so long from now. */
  synchronized void renew(Claim claim, Duration lease) {
    held(claim, claim.events().size()).renew(lease);
  }

  private LogClaim held(Claim claim, int events) {
    @Nullable LogClaim held = claims.get(claim.token());
    if (held == null) {
      throw lost(events);
    }
    return held;
  }

  private LeaseLostException lost(int events) {
    return new LeaseLostException(table, events + " events");
  }

  /**
   * Takes back claims that were neither settled nor renewed in time. Gapless claims end only by
   * settlement or {@link #clear}, because what became of them must be known.
   */
  synchronized void expire() {
    if (!isGapless) {
      claims.values().removeIf(claim -> claim.isOver() && takeBack(claim));
    }
  }

  private boolean takeBack(LogClaim claim) {
    claim.entries().forEach(keys::release);
    giveBack(claim.entries());
    return true;
  }

  private void giveBack(Collection<LogEntry> rows) {
    waiting.giveBack(rows.stream().filter(unsettled::contains).toList());
  }

  /** Plans a settlement, which is then {@linkplain #mark marked} and {@linkplain #finish ended}. */
  synchronized Plan plan(Claim claim, Collection<? extends Outcome> outcomes) {
    return held(claim, outcomes.size())
        .plan(outcomes, keys, generation)
        .orElseThrow(() -> lost(outcomes.size()));
  }

  /** Lets the cursor pass what is done, and closes keys; the claim stays until {@link #finish}. */
  synchronized void mark(Plan plan) {
    keys.close(plan.keys());
    plan.done().forEach(unsettled::remove);
  }

  /** Ends the part of a claim that is settled. */
  synchronized void finish(Claim claim, Plan plan) {
    @Nullable LogClaim held = claims.get(claim.token());
    if (held == null) {
      return;
    }
    Stream.of(plan.done(), plan.returned())
        .flatMap(List::stream)
        .filter(held::remove)
        .forEach(keys::release);
    if (held.size() == 0) {
      claims.remove(claim.token());
    }
    if (!plan.returned().isEmpty()) {
      giveBack(plan.returned());
    }
  }

  /** Whether a gapless claim may be delivered. */
  synchronized State state(Claim claim) {
    @Nullable LogClaim held = claims.get(claim.token());
    if (held == null) {
      return State.STALE;
    }
    if (claims.keySet().stream().anyMatch(other -> other > claim.token())) {
      return State.WAITING;
    }
    return held.isFirstOf(unsettled) && !held.hasClosedKey(keys) ? State.READY : State.STALE;
  }

  /** Whether {@link #clear} has not been called since a plan was made. */
  synchronized boolean isCurrent(Plan plan) {
    return plan.generation() == generation;
  }

  /** How far everything is settled, for a plan that was marked. */
  synchronized Settled settled(Plan plan) {
    if (!isCurrent(plan)) {
      throw lost(plan.done().size());
    }
    return settled();
  }

  /** How far everything is settled. */
  synchronized Settled settled() {
    if (read == null) {
      throw new LeaseLostException(table, "events");
    }
    @Nullable LogEntry entry = unsettled.isEmpty() ? null : unsettled.first();
    @Nullable Stub stub = surplus.first();
    LogCursor upTo = entry == null ? read : entry.before();
    if (stub != null && (entry == null || Stub.IN_ORDER.compare(stub, entry.stub()) < 0)) {
      upTo = stub.before();
    }
    return new Settled(upTo, read);
  }

  /** How far everything is settled once the next {@code events} rows of a claim are. */
  synchronized LogCursor cursorAfter(Claim claim, int events) {
    // The rest of the claim may have keys that the claim itself closed: the caller leaves them out.
    if (!held(claim, events).isFirstOf(unsettled) || read == null) {
      throw lost(events);
    }
    return unsettled.stream().skip(events).findFirst().map(LogEntry::before).orElse(read);
  }

  /** How far the log was read, if everything is settled; null if not, or if nothing is read. */
  synchronized @Nullable LogCursor cursorIfDone() {
    return unsettled.isEmpty() && surplus.isEmpty() ? read : null;
  }
}
