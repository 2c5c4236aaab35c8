package dev.postcommit.internal.store.log;

import static java.util.stream.Collectors.toSet;

import dev.postcommit.internal.store.CheckpointedLog.Turn;
import dev.postcommit.internal.store.log.LogSurplus.Place;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
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

  /** How many rows that are to be read again are diverted instead, in one statement. */
  private static final int DIVERTED_AT_ONCE = 2_000;

  private final LogUnsettled unsettled = new LogUnsettled();
  private final LogWaiting waiting = new LogWaiting();
  private final LogSurplus surplus = new LogSurplus();
  private final LogKeys keys;
  private final Map<Long, LogClaim> claims = new HashMap<>();
  private long pages;
  private long reserved;
  private long tokens;

  /**
   * An agenda of which nothing is read.
   *
   * @param patience how long a key may be busy until others get the room that its rows take
   */
  LogAgenda(Duration patience) {
    this.keys = new LogKeys(patience);
  }

  /** Forgets everything; claims that were made cannot be settled any more. */
  void clear() {
    unsettled.clear();
    waiting.clear();
    surplus.clear();
    claims.clear();
    keys.clear();
  }

  /**
   * Adds a page of rows, in the order in which they were read; returns whether some of them wait
   * with their payloads.
   */
  boolean add(List<LogReader.Row> rows) {
    pages++;
    if (!surplus.isEmpty()) {
      return addBesideSurplus(rows);
    }
    for (LogReader.Row row : rows) {
      add(new LogEntry(row, pages));
    }
    return !rows.isEmpty();
  }

  private void add(LogEntry entry) {
    unsettled.add(entry);
    waiting.add(entry);
  }

  private boolean addBesideSurplus(List<LogReader.Row> rows) {
    int before = waiting.size();
    Map<String, List<Place>> places = new LinkedHashMap<>();
    for (LogReader.Row row : rows) {
      @Nullable String key = row.event().key();
      if (key != null && surplus.has(key)) {
        places
            .computeIfAbsent(key, same -> new ArrayList<>())
            .add(new Place(pages, row.seq(), row.before()));
      } else {
        add(new LogEntry(row, pages));
      }
    }
    places.forEach((key, of) -> surplus.add(key, of, false));
    return waiting.size() > before;
  }

  /**
   * Makes room for rows of other keys, if so many rows wait for those of their keys whose delivery
   * takes long; returns whether it could.
   */
  boolean makeRoom(int most, long mostBytes) {
    Map<String, List<LogEntry>> taken = waiting.takeSurplus(most, mostBytes, keys);
    taken.forEach(
        (key, entries) -> {
          List<Place> places = new ArrayList<>(entries.size());
          for (LogEntry entry : entries) {
            places.add(new Place(entry.page(), entry.seq(), entry.before()));
            entry.unlink();
          }
          surplus.add(key, places, true);
        });
    return !taken.isEmpty();
  }

  /** Whether some may be taken now, and not only once others of their keys are settled. */
  boolean mayHaveFree() {
    boolean isFree = waiting.mayHaveFree() || !keys.areAllOpen();
    return (waiting.size() > 0 && isFree) || !keys.busy().containsAll(surplus.keys());
  }

  /** Whether rows of these keys are neither claimed nor settled. */
  boolean hasAny(Set<String> of) {
    return !Collections.disjoint(of, surplus.keys()) || waiting.hasAny(of);
  }

  /** What the places of rows that are to be read again take in memory, in numbers. */
  long surplus() {
    return surplus.weight();
  }

  /** How many keys have such places. */
  int keysInSurplus() {
    return surplus.keys().size();
  }

  /**
   * The places that are to be read again, in order: of the keys of which less than {@code few} rows
   * wait, as many as are missing, and of all together up to {@code most}.
   *
   * @param ofBusy whether of keys of which nothing can be claimed now, or of the others
   */
  List<Place> toReadAgain(int few, int most, boolean ofBusy) {
    Map<String, Integer> counts = waiting.count(surplus.keys());
    List<Place> places = new ArrayList<>();
    for (String key : surplus.keys()) {
      int missing = few - counts.getOrDefault(key, 0);
      if (missing > 0 && !keys.isClosed(key) && keys.busy().contains(key) == ofBusy) {
        places.addAll(surplus.first(key, Math.min(missing, most)));
      }
    }
    places.sort(Place.IN_ORDER);
    return places.size() > most ? places.subList(0, most) : places;
  }

  /**
   * The first of the places that {@link #toReadAgain} told of were read again. Comes to nothing if
   * others come first by now, or these were diverted.
   *
   * @param rows what is there of them; those that are gone are null
   */
  void addAgain(List<Place> places, List<LogReader.@Nullable Row> rows) {
    List<Place> read = places.subList(0, rows.size());
    if (!surplus.beginsWith(read)) {
      return;
    }
    List<LogEntry> entries = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      LogReader.@Nullable Row row = rows.get(i);
      if (row != null) {
        entries.add(new LogEntry(row, places.get(i).page()));
      }
    }
    unsettled.insert(entries);
    waiting.giveBack(entries);
    surplus.removeFirst(read.stream().map(Place::seq).collect(toSet()));
  }

  /** The number of rows that wait. */
  int waiting() {
    return waiting.size();
  }

  /** The size of their payloads, and what is reserved for others. */
  long waitingBytes() {
    return waiting.bytes() + reserved;
  }

  /** Reserves so many bytes for what is being read, or gives them up. */
  void reserve(long bytes) {
    reserved += bytes;
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
    inMemory.addAll(surplus.keys());
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
    List<Diversion> diversions = waiting.toDivert(keys);
    if (surplus.isEmpty() || keys.areAllOpen()) {
      return diversions;
    }
    List<Diversion> all = new ArrayList<>(diversions);
    int left = DIVERTED_AT_ONCE;
    for (String key : surplus.keys()) {
      if (left > 0 && keys.diverts(key)) {
        List<Place> places = surplus.first(key, left);
        places.forEach(place -> all.add(Diversion.waiting(place.seq())));
        left -= places.size();
      }
    }
    return all;
  }

  /** The rows that {@link #toDivert} told of are diverted. */
  void diverted(List<Diversion> diversions) {
    waiting.diverted(diversions);
    if (!surplus.isEmpty()) {
      Set<Long> seqs = new HashSet<>();
      diversions.forEach(diversion -> seqs.add(diversion.seq()));
      surplus.removeFirst(seqs);
    }
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
    return unsettled.first() == null && surplus.isEmpty();
  }

  /** How far everything is settled once the next {@code events} rows are. */
  LogCursor cursorAfter(int events, LogCursor read) {
    return unsettled.cursorAfter(events, read);
  }

  /** How far everything is settled, if {@code read} is how far it was read. */
  LogCursor cursor(LogCursor read) {
    @Nullable LogEntry entry = unsettled.first();
    @Nullable Place place = surplus.isEmpty() ? null : surplus.first();
    if (place != null && (entry == null || place.isBefore(entry.page(), entry.seq()))) {
      return place.before();
    }
    return entry == null ? read : entry.before();
  }
}
