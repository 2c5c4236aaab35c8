package dev.postcommit.internal.store;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * A {@code pg_snapshot} of Postgres: the transactions that had completed when it was taken.
 *
 * @param text as Postgres writes it: {@code xmin:xmax:running,...}
 * @param xmax one past the highest id that had completed
 * @param running the ids below {@code xmax} that had not completed, in order
 */
@SuppressWarnings("ArrayRecordComponent") // compared by text
public record Snapshot(String text, long xmax, long[] running) {

  public static Snapshot of(String text) {
    String[] parts = text.split(":", -1);
    long[] running =
        parts[2].isEmpty()
            ? new long[0]
            : Arrays.stream(parts[2].split(",")).mapToLong(Long::parseLong).sorted().toArray();
    return new Snapshot(text, Long.parseLong(parts[1]), running);
  }

  /** The running ids that are lower than {@code bound}. */
  public LongStream runningBelow(long bound) {
    return Arrays.stream(running).filter(id -> id < bound);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Snapshot that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
