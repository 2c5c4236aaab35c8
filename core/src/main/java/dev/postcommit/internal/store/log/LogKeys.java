package dev.postcommit.internal.store.log;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a log whose events may not be claimed in order: <i>busy</i> keys have events in a
 * claim, <i>closed</i> keys have diverted events that wait. A busy key is <i>slow</i> if it is busy
 * for longer than is usual, or was the last time.
 */
final class LogKeys {
  /** How many slow keys are remembered; beyond that, all are forgotten and found again. */
  private static final int MOST_SLOW = 10_000;

  /** How many events of a key are claimed, and since when. */
  private static final class Busy {
    private final long since = System.nanoTime();
    private int events;

    long nanos() {
      return System.nanoTime() - since;
    }
  }

  private final long patienceNanos;
  private final Map<String, Busy> busy = new HashMap<>();
  private final Set<String> slow = new HashSet<>();

  /** When each key was closed, on the clock of {@link #closings}. */
  private final Map<String, Long> closed = new HashMap<>();

  private long closings;

  /**
   * No busy or closed keys.
   *
   * @param patience how long a key may be busy before it is slow
   */
  LogKeys(Duration patience) {
    this.patienceNanos = patience.toNanos();
  }

  void clear() {
    busy.clear();
    slow.clear();
    closed.clear();
  }

  /** An event is claimed. */
  void occupy(LogEntry entry) {
    @Nullable String key = entry.key();
    if (key != null) {
      busy.computeIfAbsent(key, same -> new Busy()).events++;
    }
  }

  /** An event is not claimed any more. */
  void release(LogEntry entry) {
    @Nullable String key = entry.key();
    @Nullable Busy claimed = key == null ? null : busy.get(key);
    if (key != null && claimed != null && --claimed.events == 0) {
      busy.remove(key);
      if (claimed.nanos() < patienceNanos) {
        slow.remove(key);
      } else {
        if (slow.size() == MOST_SLOW) {
          slow.clear();
        }
        slow.add(key);
      }
    }
  }

  /** The keys with events in a claim. */
  Set<String> busy() {
    return busy.keySet();
  }

  /** Whether a key is busy, and keeps its other events waiting for longer than is usual. */
  boolean isSlow(String key) {
    @Nullable Busy claimed = busy.get(key);
    return claimed != null && (slow.contains(key) || claimed.nanos() >= patienceNanos);
  }

  /** A clock for {@link #close(Set, long)}, which counts closed keys. */
  long closings() {
    return closings;
  }

  /** Closes keys whose events are diverted now. */
  void close(Set<String> keys) {
    for (String key : keys) {
      closed.put(key, ++closings);
    }
  }

  /** Closes these keys and opens all others, as of an earlier time: those closed since stay so. */
  void close(Set<String> keys, long asOf) {
    if (!closed.isEmpty()) {
      closed.entrySet().removeIf(key -> key.getValue() <= asOf && !keys.contains(key.getKey()));
    }
    for (String key : keys) {
      closed.putIfAbsent(key, asOf);
    }
  }

  boolean areAllOpen() {
    return closed.isEmpty();
  }

  boolean isClosed(@Nullable String key) {
    return key != null && closed.containsKey(key);
  }

  /** Whether events of a key have to wait. */
  boolean holdsBack(@Nullable String key) {
    return key != null && (busy.containsKey(key) || closed.containsKey(key));
  }

  /** Whether waiting events of a key can be diverted: no earlier one may still be delivered. */
  boolean diverts(@Nullable String key) {
    return key != null && closed.containsKey(key) && !busy.containsKey(key);
  }
}
