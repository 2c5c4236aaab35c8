package dev.postcommit.store.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a log of which nothing may be claimed in order: <i>busy</i> are those with events in
 * a claim, <i>closed</i> those with events that were diverted and wait.
 */
final class LogKeys {
  /** How many events of a key are claimed. */
  private final Map<String, Integer> busy = new HashMap<>();

  /** When a key was closed, as {@link #closings} tells the time. */
  private final Map<String, Long> closed = new HashMap<>();

  private long closings;

  void clear() {
    busy.clear();
    closed.clear();
  }

  /** An event is claimed. */
  void occupy(LogEntry entry) {
    @Nullable String key = entry.key();
    if (key != null) {
      busy.merge(key, 1, Integer::sum);
    }
  }

  /** An event is not claimed any more. */
  void release(LogEntry entry) {
    @Nullable String key = entry.key();
    if (key != null) {
      busy.computeIfPresent(key, (same, count) -> count == 1 ? null : count - 1);
    }
  }

  /** The keys with events in a claim. */
  Set<String> busy() {
    return busy.keySet();
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
