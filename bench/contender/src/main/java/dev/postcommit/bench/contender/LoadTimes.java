package dev.postcommit.bench.contender;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * When the events of a load were due to be written, and when their transactions were committed.
 *
 * <p>Times are those of {@link System#nanoTime()}, which on Linux is one clock for all processes.
 */
public final class LoadTimes {
  /** One transaction in so many is rolled back. */
  private static final int ROLLED_BACK = 50;

  private final long[] due;
  private final long[] committed;

  LoadTimes(int events) {
    this.due = new long[events];
    this.committed = new long[events];
  }

  /** Whether the transaction of event {@code n} is one to be rolled back. */
  public static boolean isRolledBack(int n) {
    return n % ROLLED_BACK == ROLLED_BACK - 1;
  }

  /** How many events there are, with those that were not committed. */
  public int events() {
    return due.length;
  }

  /** When event {@code n} was due to be written. */
  public long due(int n) {
    return due[n];
  }

  /** Whether event {@code n} was committed. */
  public boolean isCommitted(int n) {
    return committed[n] != 0;
  }

  /** How many events were committed. */
  public int commits() {
    return (int) Arrays.stream(committed).filter(time -> time != 0).count();
  }

  /** When event {@code n} was committed, or 0 if it was not. */
  public long committed(int n) {
    return committed[n];
  }

  void setDue(int n, long time) {
    due[n] = time;
  }

  void setCommitted(int n, long time) {
    committed[n] = time;
  }

  void write(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(due.length * Long.BYTES * 2);
    bytes.asLongBuffer().put(due).put(committed);
    Files.write(file, bytes.array());
  }

  /** The times that another process wrote to {@code file}. */
  public static LoadTimes read(Path file) throws IOException {
    LongBuffer longs = ByteBuffer.wrap(Files.readAllBytes(file)).asLongBuffer();
    int events = longs.remaining() / 2;
    LoadTimes times = new LoadTimes(events);
    longs.get(times.due).get(times.committed);
    return times;
  }
}
