package dev.postcommit.internal.store.log;

import dev.postcommit.store.StoredEvent;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** A row of a log that was read; the monitor of its {@linkplain LogAgenda agenda} guards it. */
final class LogEntry extends LogUnsettled.Link {
  /** The order in which rows were read. */
  static final Comparator<LogEntry> IN_ORDER =
      Comparator.comparingLong(LogEntry::page).thenComparingLong(LogEntry::seq);

  private final LogReader.Row row;
  private final long page;
  private boolean settled;

  /**
   * A row that is not settled.
   *
   * @param page rises with each page that is read; within one, rows are in the order of numbers
   */
  LogEntry(LogReader.Row row, long page) {
    this.row = row;
    this.page = page;
  }

  StoredEvent event() {
    return row.event();
  }

  String id() {
    return row.event().id();
  }

  @Nullable String key() {
    return row.event().key();
  }

  /** The size of its payload. */
  int bytes() {
    return row.event().payload().length;
  }

  long seq() {
    return row.seq();
  }

  /** Where the cursor stands if everything before it is settled, and it is not. */
  LogCursor before() {
    return row.before();
  }

  long page() {
    return page;
  }

  boolean isSettled() {
    return settled;
  }

  /** The cursor may pass over it. */
  void settle() {
    settled = true;
    unlink();
  }
}
