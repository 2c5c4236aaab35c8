package dev.postcommit.internal.store.log;

import dev.postcommit.internal.store.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * How far a log is delivered, as a broker stores it.
 *
 * <p>Before checkpoint <i>n</i> of a history is recorded, the cursor's row is marked with that
 * number, in a transaction that is on disk and comes after every snapshot in the checkpoint. So a
 * database whose row has an earlier mark is not the one that the checkpoint was made in: it was
 * restored, or is a standby that lacks the end. Its transaction ids mean something else, and events
 * would be missed if they were taken for those of the checkpoint. A mark that is later by more than
 * one means that the checkpoint is not the last one.
 *
 * @param history names an unbroken sequence of checkpoints
 * @param number counts them from 1
 * @param cursor how far everything is delivered
 */
record LogCheckpoint(String history, long number, LogCursor cursor) {
  private static final String VERSION = "1";
  private static final String NONE = "-";

  /** What the cursor's row is marked with before this checkpoint is recorded. */
  String mark() {
    return mark(number);
  }

  private String mark(long of) {
    return history + " " + of;
  }

  String text() {
    @Nullable Snapshot upto = cursor.upto();
    return String.join(
        " ",
        VERSION,
        mark(),
        Long.toString(cursor.floor()),
        cursor.seen().text(),
        upto == null ? NONE : upto.text(),
        Long.toString(cursor.position()));
  }

  /** Reads what {@link #text} wrote; null for anything else. */
  static @Nullable LogCheckpoint of(String text) {
    String[] parts = text.split(" ", -1);
    if (parts.length != 7 || !parts[0].equals(VERSION)) {
      return null;
    }
    try {
      @Nullable Snapshot upto = parts[5].equals(NONE) ? null : Snapshot.of(parts[5]);
      LogCursor cursor =
          new LogCursor(
              Long.parseLong(parts[3]), Snapshot.of(parts[4]), upto, Long.parseLong(parts[6]));
      return new LogCheckpoint(parts[1], Long.parseLong(parts[2]), cursor);
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return null;
    }
  }

  /** Whether it was made with a cursor's row that has this mark, and is the last one. */
  boolean agreesWith(@Nullable String mark) {
    return mark != null && (mark.equals(mark()) || mark.equals(mark(number + 1)));
  }

  /** The same with a floor of at most this. */
  LogCheckpoint withFloorUpTo(long most) {
    return new LogCheckpoint(history, number, cursor.withFloorUpTo(most));
  }
}
