package dev.postcommit.internal.store.log;

import dev.postcommit.internal.store.log.LogSurplus.Stub;
import dev.postcommit.store.StoredEvent;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** A row of a log that was read. */
final class LogEntry {
  /** The order in which rows were read. */
  static final Comparator<LogEntry> IN_ORDER =
      (a, b) -> a.page == b.page ? Long.compare(a.seq, b.seq) : Long.compare(a.page, b.page);

  private final StoredEvent event;
  private final long page;
  private final long seq;
  private final LogCursor before;

  /**
   * A row.
   *
   * @param page rises with each page that is read; rows of one page are in order of {@code seq}
   * @param before the cursor if everything before this row is delivered, and this row is not
   */
  LogEntry(StoredEvent event, long page, long seq, LogCursor before) {
    this.event = event;
    this.page = page;
    this.seq = seq;
    this.before = before;
  }

  StoredEvent event() {
    return event;
  }

  String id() {
    return event.id();
  }

  @Nullable String key() {
    return event.key();
  }

  /** The size of its payload. */
  int bytes() {
    return event.payload().length;
  }

  long seq() {
    return seq;
  }

  LogCursor before() {
    return before;
  }

  /** What is needed to load it again. */
  Stub stub() {
    return new Stub(page, seq, before);
  }
}
