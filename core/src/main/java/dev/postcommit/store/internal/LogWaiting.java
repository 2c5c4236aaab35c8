package dev.postcommit.store.internal;

import dev.postcommit.Ordering;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.internal.LogAgenda.Diversion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
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

  void clear() {
    entries.clear();
    bytes = 0;
  }

  /** Adds what comes after all others. */
  void add(LogEntry entry) {
    entries.addLast(entry);
    bytes += entry.bytes();
  }

  int size() {
    return entries.size();
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
        if (key != null) {
          keysOfTwins.add(key);
        }
      }
    }
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
      }
    }
    all.addAll(entries);
    all.sort(Comparator.comparingLong(LogEntry::ordinal));
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
}
