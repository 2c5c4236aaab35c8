package dev.postcommit.internal.store.log;

import static java.util.stream.Collectors.toSet;

import dev.postcommit.Ordering;
import dev.postcommit.internal.store.log.LogClaim.Diversion;
import dev.postcommit.store.ClaimRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a log that were read and are neither claimed nor settled, in the order in which they were
 * read.
 *
 * <p>The cost of a claim depends on the rows that it takes and passes, not on how many wait behind
 * them.
 */
final class LogWaiting {
  /** How many batches may wait in memory before reading stops. */
  private static final int MOST = 4;

  /** The share of the heap that payloads of waiting events may fill, whatever the settings say. */
  private static final long MOST_BYTES = Runtime.getRuntime().maxMemory() / 10;

  private final ArrayDeque<LogEntry> entries = new ArrayDeque<>();
  private long bytes;

  /** Whether rows were added, or not reached by a claim, since all were found to be held back. */
  private boolean mayHaveFree;

  /** How many rows may wait. */
  static int most(ClaimRequest request) {
    return MOST * request.batchSize();
  }

  /** The size that their payloads may have. */
  static long mostBytes(ClaimRequest request) {
    return Math.min(request.batchBytes(), MOST_BYTES / MOST) * MOST;
  }

  void clear() {
    entries.clear();
    bytes = 0;
    mayHaveFree = false;
  }

  /** Adds a row that comes after all others. */
  void add(LogEntry entry) {
    entries.addLast(entry);
    bytes += entry.bytes();
    mayHaveFree = true;
  }

  int size() {
    return entries.size();
  }

  /** Whether some rows may not be held back by others of their keys. */
  boolean mayHaveFree() {
    return mayHaveFree;
  }

  /** The size of the payloads. */
  long bytes() {
    return bytes;
  }

  /** Whether nothing more should be read, with so many bytes reserved for other rows. */
  boolean isFull(ClaimRequest request, long reserved) {
    return entries.size() >= most(request) || bytes + reserved >= mostBytes(request);
  }

  /** Whether there are rows of these keys. */
  boolean hasAny(Set<String> keys) {
    return entries.stream().anyMatch(entry -> keys.contains(entry.key()));
  }

  /** The keys of all rows. */
  Set<String> keys() {
    Set<String> keys = new HashSet<>();
    for (LogEntry entry : entries) {
      @Nullable String key = entry.key();
      if (key != null) {
        keys.add(key);
      }
    }
    return keys;
  }

  /** Takes the rows that may be claimed, and passes those that have to wait; by event id. */
  Map<String, LogEntry> take(ClaimRequest request, LogKeys keys) {
    boolean ordered = request.ordering() == Ordering.PER_KEY;
    Map<String, LogEntry> taken = mapFor(request);
    List<LogEntry> passed = new ArrayList<>();
    Set<String> keysOfTwins = new HashSet<>();
    boolean hasTwins = false;
    long size = 0;
    for (LogEntry entry : entries) {
      if (taken.size() == request.batchSize() || size >= request.batchBytes()) {
        break;
      }
      @Nullable String key = entry.key();
      if (ordered && key != null && (keys.holdsBack(key) || keysOfTwins.contains(key))) {
        passed.add(entry);
      } else if (taken.putIfAbsent(entry.id(), entry) == null) {
        size += entry.bytes();
      } else {
        // A claim has one event of an id; the other one, and later events of its key, wait.
        passed.add(entry);
        hasTwins = true;
        if (key != null) {
          keysOfTwins.add(key);
        }
      }
    }
    mayHaveFree = hasTwins || taken.size() + passed.size() < entries.size();
    if (!taken.isEmpty()) {
      removeFirst(taken.size() + passed.size(), size);
      for (int i = passed.size() - 1; i >= 0; i--) {
        entries.addFirst(passed.get(i));
      }
    }
    return taken;
  }

  /** Takes the next rows, up to the first that may not be claimed; by event id. */
  Map<String, LogEntry> takeGapless(ClaimRequest request, LogKeys keys) {
    boolean ordered = request.ordering() == Ordering.PER_KEY;
    Map<String, LogEntry> taken = mapFor(request);
    long size = 0;
    for (LogEntry entry : entries) {
      boolean isFull = taken.size() == request.batchSize() || size >= request.batchBytes();
      if (isFull
          || (ordered && keys.isClosed(entry.key()))
          || taken.putIfAbsent(entry.id(), entry) != null) {
        break;
      }
      size += entry.bytes();
    }
    removeFirst(taken.size(), size);
    return taken;
  }

  private Map<String, LogEntry> mapFor(ClaimRequest request) {
    int most = Math.min(request.batchSize(), entries.size());
    return new LinkedHashMap<>(most + most / 2);
  }

  /** Removes the first {@code count} rows; those that do not return have {@code size} bytes. */
  private void removeFirst(int count, long size) {
    for (int i = 0; i < count; i++) {
      entries.removeFirst();
    }
    bytes -= size;
  }

  /** Puts rows back in order. */
  void giveBack(Collection<LogEntry> returned) {
    List<LogEntry> all = new ArrayList<>(entries.size() + returned.size());
    returned.forEach(entry -> bytes += entry.bytes());
    mayHaveFree |= !returned.isEmpty();
    all.addAll(returned);
    all.addAll(entries);
    all.sort(LogEntry.IN_ORDER);
    entries.clear();
    entries.addAll(all);
  }

  /** The rows that can be diverted. */
  List<Diversion> toDivert(LogKeys keys) {
    List<Diversion> diversions = new ArrayList<>();
    for (LogEntry entry : entries) {
      if (keys.diverts(entry.key())) {
        diversions.add(Diversion.waiting(entry.seq()));
      }
    }
    return diversions;
  }

  /** Removes the rows with these numbers, and returns them. */
  List<LogEntry> remove(Set<Long> seqs) {
    List<LogEntry> removed = entries.stream().filter(entry -> seqs.contains(entry.seq())).toList();
    entries.removeIf(entry -> seqs.contains(entry.seq()));
    removed.forEach(entry -> bytes -= entry.bytes());
    return removed;
  }

  /** How many rows there are of each of these keys. */
  Map<String, Integer> count(Set<String> of) {
    Map<String, Integer> counts = new HashMap<>();
    for (LogEntry entry : entries) {
      @Nullable String key = entry.key();
      if (key != null && of.contains(key)) {
        counts.merge(key, 1, Integer::sum);
      }
    }
    return counts;
  }

  /**
   * Takes the rows of slow keys that exceed their key's share; by key, in order.
   *
   * @param most how many rows may wait in all; a key may have half of that if it is the only one
   * @param mostBytes the same for the size of payloads
   */
  Map<String, List<LogEntry>> takeSurplus(int most, long mostBytes, LogKeys keys) {
    Map<String, long[]> shares = new HashMap<>();
    int parts = 2 * Math.max(1, keys().size());
    Map<String, List<LogEntry>> surplus = new LinkedHashMap<>();
    for (LogEntry entry : entries) {
      @Nullable String key = entry.key();
      if (key == null || !keys.isSlow(key)) {
        continue;
      }
      long[] share = shares.computeIfAbsent(key, same -> new long[2]);
      boolean isEnough =
          share[0] > 0 && (share[0] >= most / parts || share[1] >= mostBytes / parts);
      if (surplus.containsKey(key) || isEnough) {
        surplus.computeIfAbsent(key, same -> new ArrayList<>()).add(entry);
      } else {
        share[0]++;
        share[1] += entry.bytes();
      }
    }
    List<LogEntry> unused =
        remove(surplus.values().stream().flatMap(List::stream).map(LogEntry::seq).collect(toSet()));
    return surplus;
  }
}
