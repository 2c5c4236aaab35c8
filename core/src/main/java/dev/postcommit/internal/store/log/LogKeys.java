package dev.postcommit.internal.store.log;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a log of which nothing may be claimed in order: <i>busy</i> are those with events in
 * a claim, <i>closed</i> those with events that were diverted and wait. <i>Slow</i> are those that
 * are busy for longer than others are, or were when they were busy last.
 */
final class LogKeys {
  /** How many keys are known to have been slow; which ones are not, is found out anew. */
  private static final int MOST_SLOW = 10_000;

  /** The events of a key that are claimed, and since when there are any. */
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

  /** When a key was closed, as {@link #closings} tells the time. */
  private final Map<String, Long> closed = new HashMap<>();

  private long closings;

  /**
   * Keys of which none is busy or closed.
   *
   * @param patience how long a key may be busy until it is slow
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

  /** Whether a key has events in a claim, and lets others wait for longer than is usual. */
  boolean isSlow(String key) {
    @Nullable Busy claimed = busy.get(key);
    return claimed != null && (slow.contains(key) || claimed.nanos() >= patienceNanos);
  }

  /** Tells the time to {@link #close(Set, long)}. */
  long closings() {
    return closings;
  }

  /** Closes the keys of events that are diverted now. */
  void close(Set<String> keys) {
    for (String key : keys) {
      closed.put(key, ++closings);
    }
  }

  /** Closes these keys alone, as of an earlier time; those closed since stay closed. */
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

  /** Whether events of a key have to wait for their turn, or to be diverted. */
  boolean holdsBack(@Nullable String key) {
    return key != null && (busy.containsKey(key) || closed.containsKey(key));
  }

  /** Whether what waits of a key can be diverted: nothing earlier of it may still be delivered. */
  boolean diverts(@Nullable String key) {
    return key != null && closed.containsKey(key) && !busy.containsKey(key);
  }
}
