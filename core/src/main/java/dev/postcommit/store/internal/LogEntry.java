package dev.postcommit.store.internal;

import dev.postcommit.store.StoredEvent;
import org.jspecify.annotations.Nullable;

/** A row of a log that was read; the monitor of its {@linkplain LogAgenda agenda} guards it. */
final class LogEntry {
  private final LogReader.Row row;
  private final long ordinal;
  private boolean settled;

  /**
   * A row that is not settled.
   *
   * @param ordinal rises in the order in which rows were read
   */
  LogEntry(LogReader.Row row, long ordinal) {
    this.row = row;
    this.ordinal = ordinal;
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

  long ordinal() {
    return ordinal;
  }

  boolean isSettled() {
    return settled;
  }

  /** The cursor may pass over it. */
  void settle() {
    settled = true;
  }
}
