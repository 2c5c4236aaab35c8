package dev.postcommit.internal.store.log;

import dev.postcommit.Ordering;
import dev.postcommit.internal.store.log.LogAgenda.Diversion;
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
 * <p>To take some costs what is taken and passed over, however much waits behind it.
 */
final class LogWaiting {
  private final ArrayDeque<LogEntry> entries = new ArrayDeque<>();
  private long bytes;

  /** Whether some came, or were not looked at, since all of them were found to be held back. */
  private boolean mayHaveFree;

  void clear() {
    entries.clear();
    bytes = 0;
    mayHaveFree = false;
  }

  /** Adds what comes after all others. */
  void add(LogEntry entry) {
    entries.addLast(entry);
    bytes += entry.bytes();
    mayHaveFree = true;
  }

  int size() {
    return entries.size();
  }

  /** Whether some may be held back by no other of their keys. */
  boolean mayHaveFree() {
    return mayHaveFree;
  }

  /** Whether there are any of these keys. */
  boolean hasAny(Set<String> keys) {
    for (LogEntry entry : entries) {
      if (keys.contains(entry.key())) {
        return true;
      }
    }
    return false;
  }

  /** The size of the payloads. */
  long bytes() {
    return bytes;
  }

  /** The keys of all of them. */
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

  /** Takes what may be claimed, and passes over what has to wait; by the events' ids. */
  Map<String, LogEntry> take(ClaimRequest request, LogKeys keys) {
    boolean ordered = request.ordering() == Ordering.PER_KEY;
    Map<String, LogEntry> taken = roomFor(request);
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
        // A claim has one event of an id, and the later ones of the key wait for the other.
        passed.add(entry);
        hasTwins = true;
        if (key != null) {
          keysOfTwins.add(key);
        }
      }
    }
    mayHaveFree = hasTwins || taken.size() + passed.size() < entries.size();
    if (!taken.isEmpty()) {
      remove(taken.size() + passed.size(), size);
      for (int i = passed.size() - 1; i >= 0; i--) {
        entries.addFirst(passed.get(i));
      }
    }
    return taken;
  }

  /** Takes what comes next and may be claimed, up to the first that may not; by the events' ids. */
  Map<String, LogEntry> takeInTurn(ClaimRequest request, LogKeys keys) {
    boolean ordered = request.ordering() == Ordering.PER_KEY;
    Map<String, LogEntry> taken = roomFor(request);
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
    remove(taken.size(), size);
    return taken;
  }

  private Map<String, LogEntry> roomFor(ClaimRequest request) {
    int most = Math.min(request.batchSize(), entries.size());
    return new LinkedHashMap<>(most + most / 2);
  }

  /** Removes the first {@code count}, of which those that leave for good have so many bytes. */
  private void remove(int count, long size) {
    for (int i = 0; i < count; i++) {
      entries.removeFirst();
    }
    bytes -= size;
  }

  /** Puts back in their places those that are not settled. */
  void giveBack(Collection<LogEntry> returned) {
    List<LogEntry> all = new ArrayList<>(entries.size() + returned.size());
    for (LogEntry entry : returned) {
      if (!entry.isSettled()) {
        all.add(entry);
        bytes += entry.bytes();
        mayHaveFree = true;
      }
    }
    all.addAll(entries);
    all.sort(LogEntry.IN_ORDER);
    entries.clear();
    entries.addAll(all);
  }

  /** What can be diverted. */
  List<Diversion> toDivert(LogKeys keys) {
    if (keys.areAllOpen()) {
      return List.of();
    }
    List<Diversion> diversions = new ArrayList<>();
    for (LogEntry entry : entries) {
      if (keys.diverts(entry.key())) {
        diversions.add(Diversion.waiting(entry.seq()));
      }
    }
    return diversions;
  }

  /** Settles what was diverted. */
  void diverted(List<Diversion> diversions) {
    Set<Long> seqs = new HashSet<>();
    diversions.forEach(diversion -> seqs.add(diversion.seq()));
    entries.removeIf(entry -> seqs.contains(entry.seq()) && settle(entry));
  }

  private boolean settle(LogEntry entry) {
    entry.settle();
    bytes -= entry.bytes();
    return true;
  }

  /** How many of these keys there are. */
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
   * Takes out what is more than a key's share, of keys that have to wait for long; by key, in
   * order.
   *
   * @param most how many there may be of all keys together, of which a key may have half if it is
   *     the only one
   * @param mostBytes the same, for the size of payloads
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
    if (!surplus.isEmpty()) {
      Set<LogEntry> leaving = new HashSet<>();
      surplus.values().forEach(leaving::addAll);
      entries.removeIf(leaving::contains);
      leaving.forEach(entry -> bytes -= entry.bytes());
    }
    return surplus;
  }
}
