package dev.postcommit.internal.store.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a log that are not settled, in the order in which they were read: how far the cursor may
 * move. What is settled leaves at once, wherever it is, so that it does not stay in memory for as
 * long as one before it takes.
 */
final class LogUnsettled {

  /** A place in a ring; a ring that was cleared is another's no more. */
  abstract static class Link {
    private @Nullable Link previous;
    private @Nullable Link next;

    /** Leaves its ring, if it is in one. */
    final void unlink() {
      if (previous != null && next != null) {
        previous.next = next;
        next.previous = previous;
        previous = null;
        next = null;
      }
    }

    final void insertAfter(Link other) {
      previous = other;
      next = other.next;
      if (next != null) {
        next.previous = this;
      }
      other.next = this;
    }
  }

  /** Where a ring begins and ends. */
  private static final class Ends extends Link {}

  private Link ends = ring();

  private static Link ring() {
    Link ends = new Ends();
    ends.previous = ends;
    ends.next = ends;
    return ends;
  }

  void clear() {
    ends = ring();
  }

  /** Adds what was read after all others. */
  void add(LogEntry entry) {
    if (ends.previous != null) {
      entry.insertAfter(ends.previous);
    }
  }

  /** Adds what was read before, in its places; it is in order, and near the first of all. */
  void insert(List<LogEntry> entries) {
    Link before = ends;
    for (LogEntry entry : entries) {
      for (LogEntry each = next(before);
          each != null && LogEntry.IN_ORDER.compare(each, entry) < 0;
          each = next(each)) {
        before = each;
      }
      entry.insertAfter(before);
      before = entry;
    }
  }

  private static @Nullable LogEntry next(Link link) {
    return link.next instanceof LogEntry entry ? entry : null;
  }

  /** The first of them; null if there is none. */
  @Nullable LogEntry first() {
    return next(ends);
  }

  /** How far everything is settled once the next {@code events} rows are. */
  LogCursor cursorAfter(int events, LogCursor read) {
    int left = events;
    for (LogEntry entry = first(); entry != null; entry = next(entry)) {
      if (left-- == 0) {
        return entry.before();
      }
    }
    return read;
  }

  /** Whether the first are those of a claim. */
  boolean beginsWith(LogClaim claim) {
    int found = 0;
    for (LogEntry entry = first(); entry != null && claim.contains(entry); entry = next(entry)) {
      found++;
    }
    return found == claim.size();
  }
}
