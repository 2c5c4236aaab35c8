package dev.postcommit.internal.store.log;

import dev.postcommit.internal.store.log.LogClaim.Plan;
import dev.postcommit.internal.store.log.LogInFlight.Settled;
import dev.postcommit.internal.store.log.LogLease.Grant;
import dev.postcommit.store.Claim;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The cursor in the database decides: what was delivered after it was last written is delivered
 * again after a crash.
 */
final class CursorProgress implements LogProgress {
  /** How long the cursor rests between two moves while there is work. */
  private static final long REST_NANOS = Duration.ofMillis(20).toNanos();

  private final LogLease lease;
  private final LogInFlight inFlight;
  private final LongSupplier nanoTime;
  private volatile long movedAt;

  /**
   * How far was read when the cursor was last written. It is written again once more was read, even
   * if it has to stay where it is, because each write adds a {@linkplain Fences fence}. Without a
   * new fence, each poll would walk over all rows delivered since.
   */
  private @Nullable LogCursor fenced;

  CursorProgress(LogLease lease, LogInFlight inFlight, LongSupplier nanoTime) {
    this.lease = lease;
    this.inFlight = inFlight;
    this.nanoTime = nanoTime;
    this.movedAt = nanoTime.getAsLong() - REST_NANOS;
  }

  @Override
  public LogCursor begin(Grant grant) {
    return grant.cursor();
  }

  @Override
  public synchronized void forget() {
    fenced = null;
  }

  @Override
  public Duration undecided() {
    return lease.undecided();
  }

  @Override
  public void renew(Duration wanted) {
    lease.renew(wanted);
  }

  @Override
  public void passOver() {
    // The next move passes them.
  }

  @Override
  public String checkpoint(Claim claim, int events) {
    throw new IllegalStateException("the cursor in the table decides");
  }

  @Override
  public void settled(Plan plan, boolean mayWait) {
    if (!mayWait || hasRested()) {
      move(() -> inFlight.settled(plan));
    }
  }

  private boolean hasRested() {
    return nanoTime.getAsLong() - movedAt >= REST_NANOS;
  }

  @Override
  public boolean catchUp() {
    if (hasRested()) {
      writeCursor();
    }
    return true;
  }

  @Override
  public void writeCursor() {
    move(inFlight::settled);
  }

  /** Moves the cursor as far as everything is settled, for all lanes at once. */
  private synchronized void move(Supplier<Settled> settled) {
    Settled to = settled.get();
    if (!to.upTo().equals(lease.cursor()) || (!to.read().equals(fenced) && hasRested())) {
      lease.move(to.upTo(), null);
      fenced = to.read();
      movedAt = nanoTime.getAsLong();
    }
  }
}
