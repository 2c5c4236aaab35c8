package dev.postcommit.internal.store.held;

import dev.postcommit.store.ClaimRequest;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which parts of a held table are listed while many of its rows wait, instead of all of it. For use
 * under the lock of the {@link PendingRows}.
 *
 * <p>A listing of all of the table passes over every row that waits, and over every row behind one.
 * Where that took long for nothing, the next listings are made of parts:
 *
 * <ul>
 *   <li><b>Recent rows:</b> those written since the last listing and a while before. A
 *       transaction's rows are as old as its begin, and are seen when it commits, so the while is
 *       five seconds. If these are many and wait, it is half a second.
 *   <li><b>All rows of some keys:</b> keys of events whose retry is due, keys of recent rows that
 *       have an older row, and those that a walk has found.
 *   <li><b>A walk</b> over all of the table, a few rows at a time, that finds what the other two do
 *       not list: events of long transactions, or with times of their own, those behind an event
 *       that an operator has discarded, and retries of other relays. A round takes some ten
 *       seconds.
 * </ul>
 *
 * <p>Why the order holds: the rows of a key in a list come from one statement, which gives what a
 * listing of all of the table would give of this key at that moment, or less, but never a later row
 * without the earlier ones. The recent rows of a key are taken only if none of its rows waits, and
 * none that is still to be delivered is older than these. All rows of a key are taken if none of
 * them waits. A walk lists nothing: it only tells keys. What is in flight is seen to by the
 * pending, as for any listing.
 *
 * <p>Why nothing starves: a row that may be delivered is in the list, or is among the recent rows
 * of the next listing, or its key is found by the walk. A key that is in flight when it is found is
 * remembered until it has landed. All of the table is listed when events go back untried, when a
 * row of the list could not be locked, when many keys are wanted or found, and when few rows are
 * left that wait.
 */
final class RecentRows {
  /** How long before the last listing a row may have been written that was not seen by it. */
  static final Duration SHORTEST_MOMENT = Duration.ofMillis(500);

  private static final long SHORTEST_MOMENT_NANOS = SHORTEST_MOMENT.toNanos();
  private static final long LONGEST_MOMENT_NANOS = Duration.ofSeconds(5).toNanos();

  /** If recent rows that are passed over are more, older ones are left to the walk. */
  private static final int MANY = 500;

  /** If more keys are wanted, all of the table is listed. */
  static final int MOST_KEYS = 1_000;

  /** If a step of the walk finds more keys, many rows may be delivered, and all is listed. */
  static final int MOST_FOUND = 20;

  /** How many rows a walk reads in one step. */
  static final int STEP = 250;

  /** How many steps may be made up for, of those missed while nothing was listed. */
  static final int STEPS_AT_ONCE = 8;

  private static final long FORGIVEN_NANOS = Duration.ofSeconds(1).toNanos();

  /** A round is to take no longer than this, so steps come more often if it does. */
  private static final long ROUND_NANOS = Duration.ofSeconds(10).toNanos();

  /** A step is followed by a pause of so many times its duration: few events meet one. */
  private static final int PAUSE = 100;

  private static final int SHORT_PAUSE = 20;
  private static final long SHORTEST_PAUSE_NANOS = Duration.ofMillis(10).toNanos();

  /** Retries that are due later are left to the walk. */
  private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);

  private static final int MOST_RETRIES = 10_000;

  /** A row of the table: where the next step of a walk begins. */
  record Position(String written, String id) {}

  private record Retry(long dueAt, String key) {}

  private final LongSupplier nanoTime;
  private final Set<String> wanted = new LinkedHashSet<>();
  private final Set<String> wantedOnceLanded = new HashSet<>();
  private final PriorityQueue<Retry> retries =
      new PriorityQueue<>(
          Comparator.comparingLong((Retry retry) -> retry.dueAt()).thenComparing(Retry::key));

  private @Nullable ClaimRequest request;
  private long listedAt;
  private long leftToWalkUntil;
  private @Nullable Position position;
  private long roundStartedAt;
  private long walked;
  private long stepAt;

  RecentRows(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.leftToWalkUntil = nanoTime.getAsLong() - LONGEST_MOMENT_NANOS;
  }

  /** Whether it is enough to list parts of the table. */
  boolean areEnough(ClaimRequest other) {
    return request != null
        && Backlog.areAlike(request, other)
        && wanted.size() + wantedOnceLanded.size() <= MOST_KEYS;
  }

  /** All of the table was listed, and what was due when that began is in the list. */
  void listedInFull(long startedAt) {
    request = null;
    wanted.clear();
    wantedOnceLanded.clear();
    takeRetries(startedAt);
  }

  /** It took long for nothing, so parts are listed from now on. */
  void begin(ClaimRequest listedFor, long startedAt) {
    request = listedFor;
    listedAt = startedAt;
    beginRound();
    stepAt = roundStartedAt + SHORTEST_PAUSE_NANOS;
  }

  private void beginRound() {
    position = null;
    walked = 0;
    roundStartedAt = nanoTime.getAsLong();
  }

  /** All of the table is to be listed next. */
  void end() {
    request = null;
  }

  /** Before how long the recent rows begin. */
  Duration moment() {
    long begin = Math.max(listedAt - LONGEST_MOMENT_NANOS - leftToWalkUntil, 0) + leftToWalkUntil;
    long latest = listedAt - SHORTEST_MOMENT_NANOS;
    return Duration.ofNanos(nanoTime.getAsLong() - (begin - latest < 0 ? begin : latest));
  }

  /** Recent rows were listed, of which so many were passed over. */
  void listed(long startedAt, long passed) {
    listedAt = startedAt;
    if (passed > MANY) {
      leftToWalkUntil = startedAt - SHORTEST_MOMENT_NANOS;
    }
  }

  /** All rows of these keys are to be listed. */
  void want(Collection<String> keys) {
    if (request != null) {
      wanted.addAll(keys);
    }
  }

  /** All rows of this key are to be listed when none is in flight any more. */
  void wantOnceLanded(String key) {
    if (request != null) {
      wantedOnceLanded.add(key);
    }
  }

  /** No event of this key is in flight any more. */
  void landed(String key) {
    if (wantedOnceLanded.remove(key)) {
      wanted.add(key);
    }
  }

  /** An event of this key is due again after a time. */
  void retry(String key, Duration delay) {
    if (delay.compareTo(LONGEST_DELAY) <= 0 && retries.size() < MOST_RETRIES) {
      retries.add(new Retry(nanoTime.getAsLong() + delay.toNanos(), key));
    }
  }

  /** The keys that are wanted now, which are then wanted no more. */
  Set<String> takeWanted() {
    wanted.addAll(takeRetries(nanoTime.getAsLong()));
    Set<String> taken = new LinkedHashSet<>(wanted);
    wanted.clear();
    return taken;
  }

  private Set<String> takeRetries(long dueUntil) {
    Set<String> due = new LinkedHashSet<>();
    for (Retry first = retries.peek();
        first != null && first.dueAt() - dueUntil <= 0;
        first = retries.peek()) {
      due.add(first.key());
      retries.remove();
    }
    return due;
  }

  /** Whether the walk is to take a step. */
  boolean mayStep() {
    return request != null && nanoTime.getAsLong() - stepAt >= 0;
  }

  /** Where the step begins; null for the first of a round. */
  @Nullable Position position() {
    return position;
  }

  /**
   * A step was taken.
   *
   * @param scanned how many rows it passed over or found
   * @param last the last of them; null if there were none
   */
  void stepped(long nanos, long scanned, @Nullable Position last) {
    long now = nanoTime.getAsLong();
    boolean isLate = now - roundStartedAt > ROUND_NANOS;
    long pause = Math.max(nanos * (isLate ? SHORT_PAUSE : PAUSE), SHORTEST_PAUSE_NANOS);
    stepAt = Math.max(stepAt - (now - FORGIVEN_NANOS), 0) + now - FORGIVEN_NANOS + pause;
    walked += scanned;
    if (scanned >= STEP) {
      position = last;
      return;
    }
    if (walked > MANY) {
      beginRound();
    } else if (isLate) {
      end();
    } else {
      position = null;
      walked = 0;
    }
  }
}
