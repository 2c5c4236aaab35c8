package dev.postcommit.store.internal;

import java.util.ArrayDeque;

/**
 * Rows of a log in the order in which they were read, from the first that is not settled on: how
 * far the cursor may move. Behind that one there may be some that are settled.
 */
final class LogUnsettled {
  private final ArrayDeque<LogEntry> entries = new ArrayDeque<>();

  void clear() {
    entries.clear();
  }

  void add(LogEntry entry) {
    entries.addLast(entry);
  }

  /** Forgets those that are settled, up to the first that is not. */
  void dropSettled() {
    while (!entries.isEmpty() && entries.getFirst().isSettled()) {
      entries.removeFirst();
    }
  }

  /** Whether there are none. */
  boolean isEmpty() {
    dropSettled();
    return entries.isEmpty();
  }

  /** How far everything is settled, if {@code read} is how far it was read. */
  LogCursor cursor(LogCursor read) {
    return isEmpty() ? read : entries.getFirst().before();
  }

  /** How far everything is settled once the next {@code events} rows are. */
  LogCursor cursorAfter(int events, LogCursor read) {
    int left = events;
    for (LogEntry entry : entries) {
      if (!entry.isSettled() && left-- == 0) {
        return entry.before();
      }
    }
    return read;
  }

  /** Whether the first that are not settled are those of a claim. */
  boolean beginsWith(LogClaim claim) {
    int found = 0;
    for (LogEntry entry : entries) {
      if (!entry.isSettled()) {
        if (!claim.contains(entry)) {
          break;
        }
        found++;
      }
    }
    return found == claim.size();
  }
}
