package dev.postcommit.internal.store.log;

import dev.postcommit.internal.store.Checkpoints;
import dev.postcommit.internal.store.Checkpoints.Begun;
import dev.postcommit.internal.store.Snapshot;
import dev.postcommit.internal.store.log.LogLease.Lead;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The checkpoints that one relay has recorded, and is about to. Safe for use by many threads. */
final class LogCheckpoints {
  private static final Logger log = LoggerFactory.getLogger(LogCheckpoints.class);

  private final Checkpoints checkpoints;
  private final String table;
  private LogCheckpoint recorded = new LogCheckpoint("", 0, LogCursor.at(0, Snapshot.of("1:1:")));
  private LogCheckpoint next = recorded;

  LogCheckpoints(Checkpoints checkpoints, String table) {
    this.checkpoints = checkpoints;
    this.table = table;
  }

  /** Where to read on; empty if the checkpoints cannot be used now. */
  Optional<LogCursor> begin(Lead lead) {
    return checkpoints.begin().map(begun -> begin(lead, begun));
  }

  private synchronized LogCursor begin(Lead lead, Begun begun) {
    @Nullable LogCheckpoint last =
        begun.checkpoint() == null ? null : LogCheckpoint.of(begun.checkpoint());
    if (last != null && last.agreesWith(lead.mark())) {
      LogCursor cursor = last.cursor().withFloorUpTo(lead.cursor().floor());
      recorded = new LogCheckpoint(last.history(), last.number(), cursor);
    } else {
      if (begun.checkpoint() != null) {
        log.warn(
            "the checkpoint of {} that the broker has is not of this database as it is now: it was"
                + " restored, or relays without transactions were at work. The cursor in the"
                + " database counts; events delivered after it was last written are delivered again",
            table);
      }
      recorded = new LogCheckpoint(UUID.randomUUID().toString(), 0, lead.cursor());
    }
    next = recorded;
    return recorded.cursor();
  }

  /** What the cursor's row is to be marked with until there is another checkpoint. */
  synchronized @Nullable String mark(Lead lead) {
    return recorded.agreesWith(lead.mark()) ? lead.mark() : recorded.mark();
  }

  /** The checkpoint that is recorded. */
  synchronized LogCheckpoint recorded() {
    return recorded;
  }

  /** The checkpoint to record next. */
  synchronized LogCheckpoint next(LogCursor cursor) {
    next = new LogCheckpoint(recorded.history(), recorded.number() + 1, cursor);
    return next;
  }

  /** The next checkpoint was recorded. */
  synchronized void advance() {
    recorded = next;
  }

  /** Records a checkpoint with which nothing is delivered; returns whether that was possible. */
  boolean record(Supplier<String> checkpoint) {
    return checkpoints.record(checkpoint);
  }
}
