package dev.postcommit.store.internal;

import dev.postcommit.Ordering;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.store.internal.PlacedLog.Turn;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a log that were read and are not settled, in memory: which wait, which are claimed, and
 * how far the cursor may move.
 *
 * <p>Of a key there is one claim at a time. The keys of failed events are closed: what else there
 * is of them is to be diverted, not claimed.
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

  /** What a settlement comes to. */
  record Plan(
      List<Entry> done, List<Entry> returned, List<Diversion> diversions, Set<String> keys) {}

  private static final class Entry {
    private final LogReader.Row row;
    private final long ordinal;
    private boolean settled;

    Entry(LogReader.Row row, long ordinal) {
      this.row = row;
      this.ordinal = ordinal;
    }

    StoredEvent event() {
      return row.event();
    }

    @Nullable String key() {
      return row.event().key();
    }
  }

  private static final class Batch {
    private final boolean ordered;
    private final Map<String, Entry> entries;
    private long leasedAt = System.nanoTime();
    private long leaseNanos;

    Batch(boolean ordered, Map<String, Entry> entries, Duration lease) {
      this.ordered = ordered;
      this.entries = entries;
      this.leaseNanos = lease.toNanos();
    }

    boolean isOver() {
      return System.nanoTime() - leasedAt > leaseNanos;
    }
  }

  private final Deque<Entry> unsettled = new ArrayDeque<>();
  private List<Entry> waiting = new ArrayList<>();
  private final Map<Long, Batch> claims = new HashMap<>();
  private final Map<String, Integer> busy = new HashMap<>();
  private final Map<String, Long> closed = new HashMap<>();
  private long closings;
  private long ordinals;
  private long tokens;

  /** Forgets everything; claims that were made cannot be settled any more. */
  void clear() {
    unsettled.clear();
    waiting.clear();
    claims.clear();
    busy.clear();
    closed.clear();
  }

  /** Adds rows in the order in which they were read. */
  void add(List<LogReader.Row> rows) {
    for (LogReader.Row row : rows) {
      Entry entry = new Entry(row, ++ordinals);
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
    return waiting.stream().mapToLong(entry -> entry.event().payload().length).sum();
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
    return closings;
  }

  /**
   * Learns which keys have diverted events, as of an earlier time; those closed since stay closed.
   */
  void close(Set<String> keys, long asOf) {
    closed.entrySet().removeIf(entry -> entry.getValue() <= asOf && !keys.contains(entry.getKey()));
    keys.forEach(key -> closed.putIfAbsent(key, asOf));
  }

  /** The rows that wait and whose keys are closed; those of a claimed key have to wait on. */
  List<Diversion> toDivert() {
    if (closed.isEmpty()) {
      return List.of();
    }
    return waiting.stream()
        .filter(this::isClosed)
        .map(e -> Diversion.waiting(e.row.seq()))
        .toList();
  }

  private boolean isClosed(Entry entry) {
    String key = entry.key();
    return key != null && closed.containsKey(key) && !busy.containsKey(key);
  }

  /** The rows that {@link #toDivert} told of are diverted. */
  void diverted(List<Diversion> diversions) {
    Set<Long> seqs = new HashSet<>();
    diversions.forEach(diversion -> seqs.add(diversion.seq()));
    waiting.removeIf(
        entry -> {
          boolean gone = seqs.contains(entry.row.seq());
          entry.settled |= gone;
          return gone;
        });
  }

  /** A claim on rows that may be delivered now; its token is negative. */
  @Nullable Long take(ClaimRequest request) {
    boolean ordered = request.ordering() == Ordering.PER_KEY;
    Map<String, Entry> taken = new LinkedHashMap<>();
    Set<String> passed = new HashSet<>();
    List<Entry> left = new ArrayList<>(waiting.size());
    long bytes = 0;
    int next = 0;
    for (; next < waiting.size() && taken.size() < request.batchSize(); next++) {
      Entry entry = waiting.get(next);
      if (bytes >= request.batchBytes()) {
        break;
      }
      if (mayBeTaken(entry, ordered, taken, passed)) {
        taken.put(entry.event().id(), entry);
        bytes += entry.event().payload().length;
      } else {
        left.add(entry);
      }
    }
    if (taken.isEmpty()) {
      return null;
    }
    left.addAll(waiting.subList(next, waiting.size()));
    return claim(request, taken, left);
  }

  private long claim(ClaimRequest request, Map<String, Entry> taken, List<Entry> left) {
    waiting = left;
    taken.values().forEach(entry -> occupy(entry, 1));
    boolean ordered = request.ordering() == Ordering.PER_KEY;
    claims.put(--tokens, new Batch(ordered, taken, request.lease()));
    return tokens;
  }

  /**
   * A claim on the rows that come next, of which none may be left out. While there is another, only
   * a full one is made, so that rows gather.
   */
  @Nullable Long takeInTurn(ClaimRequest request) {
    if (!claims.isEmpty() && waiting.size() < request.batchSize()) {
      return null;
    }
    boolean ordered = request.ordering() == Ordering.PER_KEY;
    Map<String, Entry> taken = new LinkedHashMap<>();
    long bytes = 0;
    for (Entry entry : waiting) {
      boolean isFull = taken.size() == request.batchSize() || bytes >= request.batchBytes();
      boolean waits = ordered && entry.key() != null && closed.containsKey(entry.key());
      if (isFull || waits || taken.containsKey(entry.event().id())) {
        break;
      }
      taken.put(entry.event().id(), entry);
      bytes += entry.event().payload().length;
    }
    List<Entry> left = new ArrayList<>(waiting.subList(taken.size(), waiting.size()));
    return taken.isEmpty() ? null : claim(request, taken, left);
  }

  private boolean mayBeTaken(
      Entry entry, boolean ordered, Map<String, Entry> taken, Set<String> passed) {
    @Nullable String key = entry.key();
    boolean isTwin = taken.containsKey(entry.event().id());
    boolean waits =
        ordered
            && key != null
            && (busy.containsKey(key) || closed.containsKey(key) || passed.contains(key));
    if (isTwin && key != null) {
      passed.add(key);
    }
    return !isTwin && !waits;
  }

  private void occupy(Entry entry, int by) {
    String key = entry.key();
    if (key != null) {
      busy.merge(key, by, (one, other) -> one + other == 0 ? null : one + other);
    }
  }

  /** The events of a claim, in order. */
  List<StoredEvent> events(long token) {
    Batch batch = claims.get(token);
    return batch == null ? List.of() : batch.entries.values().stream().map(Entry::event).toList();
  }

  /** Makes a claim last for so long from now; returns whether there is such a claim. */
  boolean renew(long token, Duration lease) {
    @Nullable Batch batch = claims.get(token);
    if (batch != null) {
      batch.leasedAt = System.nanoTime();
      batch.leaseNanos = lease.toNanos();
    }
    return batch != null;
  }

  /** Takes back what was claimed and neither settled nor renewed in time. */
  void expire() {
    List<Batch> over = claims.values().stream().filter(Batch::isOver).toList();
    claims.values().removeAll(over);
    for (Batch batch : over) {
      batch.entries.values().forEach(entry -> occupy(entry, -1));
      giveBack(batch.entries.values());
    }
  }

  private void giveBack(Collection<Entry> entries) {
    entries.stream().filter(entry -> !entry.settled).forEach(waiting::add);
    waiting.sort(Comparator.comparingLong(entry -> entry.ordinal));
  }

  /** What outcomes of a claim come to; null if it is not held, or not for all of these events. */
  @Nullable Plan plan(long token, Collection<? extends Outcome> outcomes) {
    @Nullable Batch batch = claims.get(token);
    if (batch == null
        || !outcomes.stream().allMatch(outcome -> batch.entries.containsKey(outcome.id()))) {
      return null;
    }
    Map<String, Outcome> byId = new HashMap<>();
    outcomes.forEach(outcome -> byId.put(outcome.id(), outcome));
    Set<String> failing = batch.ordered ? failing(batch, byId) : Set.of();
    List<Entry> done = new ArrayList<>();
    List<Entry> returned = new ArrayList<>();
    List<Diversion> diversions = new ArrayList<>();
    for (Entry entry : batch.entries.values()) {
      @Nullable Outcome outcome = byId.get(entry.event().id());
      if (outcome == null) {
        continue;
      }
      boolean waits = entry.key() != null && failing.contains(entry.key());
      waits |= batch.ordered && entry.key() != null && closed.containsKey(entry.key());
      if (outcome instanceof Outcome.Released && !waits) {
        returned.add(entry);
        continue;
      }
      done.add(entry);
      if (!(outcome instanceof Outcome.Delivered)) {
        diversions.add(diversion(entry, outcome));
      }
    }
    return new Plan(done, returned, diversions, failing);
  }

  private static Set<String> failing(Batch batch, Map<String, Outcome> outcomes) {
    Set<String> keys = new HashSet<>();
    for (Entry entry : batch.entries.values()) {
      @Nullable String key = entry.key();
      if (key != null && outcomes.get(entry.event().id()) instanceof Outcome.Retry) {
        keys.add(key);
      }
    }
    return keys;
  }

  private static Diversion diversion(Entry entry, Outcome outcome) {
    long seq = entry.row.seq();
    if (outcome instanceof Outcome.Released) {
      return Diversion.waiting(seq);
    }
    Settlement.Line line = Settlement.line(outcome);
    return new Diversion(seq, line.status(), entry.event().attempt(), line.delay(), line.error());
  }

  /**
   * The cursor may pass over what is done, and keys are closed of which something was diverted; the
   * claim stays until {@link #finish}.
   */
  void mark(Plan plan) {
    plan.keys().forEach(key -> closed.put(key, ++closings));
    plan.done().forEach(entry -> entry.settled = true);
    dropSettled();
  }

  private void dropSettled() {
    while (!unsettled.isEmpty() && unsettled.getFirst().settled) {
      unsettled.removeFirst();
    }
  }

  /** Ends the part of a claim that is settled. */
  void finish(long token, Plan plan) {
    @Nullable Batch batch = claims.get(token);
    if (batch == null) {
      return;
    }
    for (List<Entry> part : List.of(plan.done(), plan.returned())) {
      for (Entry entry : part) {
        if (batch.entries.remove(entry.event().id(), entry)) {
          occupy(entry, -1);
        }
      }
    }
    if (batch.entries.isEmpty()) {
      claims.remove(token);
    }
    if (!plan.returned().isEmpty()) {
      giveBack(plan.returned());
    }
  }

  /** When a claim that was made {@linkplain #takeInTurn in turn} is to be delivered. */
  Turn turn(long token) {
    @Nullable Batch batch = claims.get(token);
    if (batch == null) {
      return Turn.NEVER;
    }
    if (claims.keySet().stream().anyMatch(other -> other > token)) {
      return Turn.LATER;
    }
    long next =
        unsettled.stream()
            .filter(entry -> !entry.settled)
            .takeWhile(entry -> batch.entries.get(entry.event().id()) == entry)
            .count();
    return next == batch.entries.size() ? Turn.NOW : Turn.NEVER;
  }

  /** Whether everything that was read is settled. */
  boolean isDone() {
    return unsettled.stream().allMatch(entry -> entry.settled);
  }

  /** How far everything is settled once the next {@code events} rows are. */
  LogCursor cursorAfter(int events, LogCursor read) {
    return unsettled.stream()
        .filter(entry -> !entry.settled)
        .skip(events)
        .findFirst()
        .map(entry -> entry.row.before())
        .orElse(read);
  }

  /** How far everything is settled, if {@code read} is how far it was read. */
  LogCursor cursor(LogCursor read) {
    dropSettled();
    return unsettled.isEmpty() ? read : unsettled.getFirst().row.before();
  }
}
