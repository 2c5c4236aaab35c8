package dev.postcommit.store.internal;

import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.store.internal.PlacedLog.Turn;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a log that were read and are not settled, in memory: which {@linkplain LogWaiting wait},
 * which are {@linkplain LogClaim claimed}, and {@linkplain LogUnsettled how far the cursor may
 * move}.
 *
 * <p>Of a key there is one claim at a time. The keys of failed events are {@linkplain LogKeys
 * closed}: what else there is of them is to be diverted, not claimed.
 *
 * <p>Not safe for use by many threads; its monitor guards it and all its parts.
 */
final class LogAgenda {

  /** One row that is to be copied to the native table. */
  record Diversion(
      long seq, String status, long attempts, @Nullable Long delay, @Nullable String error) {

    /** A row that failed nowhere, and waits for one that did. */
    static Diversion waiting(long seq) {
      return new Diversion(seq, "pending", 0, null, null);
    }
  }

  /**
   * What a settlement comes to.
   *
   * @param done what the cursor may pass over, for it is delivered or diverted
   * @param returned what goes back and is due at once
   * @param keys those to close: of each, an event is diverted that later ones have to wait for
   */
  record Plan(
      List<LogEntry> done, List<LogEntry> returned, List<Diversion> diversions, Set<String> keys) {}

  private final LogUnsettled unsettled = new LogUnsettled();
  private final LogWaiting waiting = new LogWaiting();
  private final LogKeys keys = new LogKeys();
  private final Map<Long, LogClaim> claims = new HashMap<>();
  private long ordinals;
  private long tokens;

  /** Forgets everything; claims that were made cannot be settled any more. */
  void clear() {
    unsettled.clear();
    waiting.clear();
    claims.clear();
    keys.clear();
  }

  /** Adds rows in the order in which they were read. */
  void add(List<LogReader.Row> rows) {
    for (LogReader.Row row : rows) {
      LogEntry entry = new LogEntry(row, ++ordinals);
      unsettled.add(entry);
      waiting.add(entry);
    }
  }

  /** The number of rows that wait. */
  int waiting() {
    return waiting.size();
  }

  /** The size of their payloads. */
  long waitingBytes() {
    return waiting.bytes();
  }

  /** Whether nothing is claimed. */
  boolean isIdle() {
    return claims.isEmpty();
  }

  /** Whether there is such a claim. */
  boolean holds(long token) {
    return claims.containsKey(token);
  }

  /** Tells the time to {@link #close(Set, long)}, for keys that are read now. */
  long closings() {
    return keys.closings();
  }

  /**
   * The keys of rows in memory, of which some may be closed or be closed by now. Rows that are read
   * later bring word of their keys with them.
   *
   * @param anyWaits whether any key was found to wait; if not, and none is closed, none may wait
   */
  Set<String> keysThatMayWait(boolean anyWaits) {
    if (!anyWaits && keys.areAllOpen()) {
      return Set.of();
    }
    Set<String> inMemory = waiting.keys();
    inMemory.addAll(keys.busy());
    return inMemory;
  }

  /**
   * Learns which keys of rows in memory have diverted events, as of an earlier time; those closed
   * since stay closed.
   */
  void close(Set<String> diverted, long asOf) {
    keys.close(diverted, asOf);
  }

  /** The rows that wait and whose keys are closed; those of a claimed key have to wait on. */
  List<Diversion> toDivert() {
    return waiting.toDivert(keys);
  }

  /** The rows that {@link #toDivert} told of are diverted. */
  void diverted(List<Diversion> diversions) {
    waiting.diverted(diversions);
  }

  /** A claim on rows that may be delivered now; its token is negative. */
  @Nullable Long take(ClaimRequest request) {
    return claim(request, waiting.take(request, keys));
  }

  /**
   * A claim on the rows that come next, of which none may be left out. While there is another, only
   * a full one is made, so that rows gather.
   */
  @Nullable Long takeInTurn(ClaimRequest request) {
    boolean gathers = !claims.isEmpty() && waiting.size() < request.batchSize();
    return gathers ? null : claim(request, waiting.takeInTurn(request, keys));
  }

  private @Nullable Long claim(ClaimRequest request, Map<String, LogEntry> taken) {
    if (taken.isEmpty()) {
      return null;
    }
    for (LogEntry entry : taken.values()) {
      keys.occupy(entry);
    }
    claims.put(--tokens, new LogClaim(request, taken));
    return tokens;
  }

  /** The events of a claim, in order. */
  List<StoredEvent> events(long token) {
    @Nullable LogClaim claim = claims.get(token);
    return claim == null ? List.of() : claim.events();
  }

  /** Makes a claim last for so long from now; returns whether there is such a claim. */
  boolean renew(long token, Duration lease) {
    @Nullable LogClaim claim = claims.get(token);
    if (claim != null) {
      claim.renew(lease);
    }
    return claim != null;
  }

  /** Takes back what was claimed and neither settled nor renewed in time. */
  void expire() {
    Iterator<LogClaim> each = claims.values().iterator();
    while (each.hasNext()) {
      LogClaim claim = each.next();
      if (claim.isOver()) {
        each.remove();
        claim.entries().forEach(keys::release);
        waiting.giveBack(claim.entries());
      }
    }
  }

  /** What outcomes of a claim come to; null if it is not held, or not for all of these events. */
  @Nullable Plan plan(long token, Collection<? extends Outcome> outcomes) {
    @Nullable LogClaim claim = claims.get(token);
    return claim == null ? null : LogPlans.of(claim, outcomes, keys);
  }

  /**
   * The cursor may pass over what is done, and keys are closed of which something was diverted; the
   * claim stays until {@link #finish}.
   */
  void mark(Plan plan) {
    keys.close(plan.keys());
    for (LogEntry entry : plan.done()) {
      entry.settle();
    }
    unsettled.dropSettled();
  }

  /** Ends the part of a claim that is settled. */
  void finish(long token, Plan plan) {
    @Nullable LogClaim claim = claims.get(token);
    if (claim == null) {
      return;
    }
    for (List<LogEntry> part : List.of(plan.done(), plan.returned())) {
      for (LogEntry entry : part) {
        if (claim.remove(entry)) {
          keys.release(entry);
        }
      }
    }
    if (claim.size() == 0) {
      claims.remove(token);
    }
    if (!plan.returned().isEmpty()) {
      waiting.giveBack(plan.returned());
    }
  }

  /**
   * When a claim that was made {@linkplain #takeInTurn in turn} is to be delivered. It may have
   * events of a key of which an earlier claim's were diverted since; these go the same way, so it
   * is given back.
   */
  Turn turn(long token) {
    @Nullable LogClaim claim = claims.get(token);
    if (claim == null) {
      return Turn.NEVER;
    }
    if (claims.keySet().stream().anyMatch(other -> other > token)) {
      return Turn.LATER;
    }
    return isNext(token) && !hasClosedKey(claim) ? Turn.NOW : Turn.NEVER;
  }

  private boolean hasClosedKey(LogClaim claim) {
    return claim.isOrdered()
        && !keys.areAllOpen()
        && claim.entries().stream().anyMatch(entry -> keys.isClosed(entry.key()));
  }

  /** Whether the rows that come next, before those of all other claims, are those of a claim. */
  boolean isNext(long token) {
    @Nullable LogClaim claim = claims.get(token);
    return claim != null && unsettled.beginsWith(claim);
  }

  /** Whether everything that was read is settled. */
  boolean isDone() {
    return unsettled.isEmpty();
  }

  /** How far everything is settled once the next {@code events} rows are. */
  LogCursor cursorAfter(int events, LogCursor read) {
    return unsettled.cursorAfter(events, read);
  }

  /** How far everything is settled, if {@code read} is how far it was read. */
  LogCursor cursor(LogCursor read) {
    return unsettled.cursor(read);
  }
}
