package dev.postcommit.internal.store.leased;

import static java.util.stream.Collectors.toUnmodifiableMap;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * From which time on a claim of leased rows looks, so that it does not walk over what was settled
 * while a transaction kept Postgres from cleaning up. It is only used where that costs much.
 *
 * <p>A row is at most as old as its transaction, so no row is missed if all undelivered ones that
 * can be seen are younger than the floor, and so are all transactions that cannot be seen yet. Now
 * and then the running transactions are listed. Who is not in a list has ended, or began after it;
 * so who was not in the list before began after that one. The floor rises to the time of the list
 * before the last when a claim has looked after the last one. Transactions that are in both may be
 * older: they are watched. A claim that does not find one of them running any more looks from where
 * it may have begun. It asks for that after it has taken its snapshot, and a transaction is still
 * among the running while it hands on its locks: so if a claim sees what was written by somebody
 * who waited for it, or was told of its commit, it does not find it running.
 *
 * <p>Rows that an operator replays may be of any age, but are due from when he did: the caller
 * looks for those since the same time.
 *
 * <p>Whatever else lies below the floor, as when a writer gives its events times of its own, is
 * seen late and never missed: from time to time a claim looks at everything. If it finds such a
 * row, the floor is not used for an hour. For use by one thread at a time.
 */
final class LeasedFloor {
  /** How many pages of the table a claim may read, besides those of the rows that it needs. */
  private static final long MANY_PAGES = 200;

  private static final int PAGES_OF_A_ROW = 4;

  private static final long PERIOD_NANOS = Duration.ofMillis(100).toNanos();

  /** A transaction has its time just before it can be seen among the running. */
  private static final long MARGIN_MICROS = 1_000_000;

  private static final long FIRST_LOOK_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long LONGEST_LOOK_NANOS = Duration.ofMinutes(1).toNanos();

  /** A look at everything may take one part in this many of the time. */
  private static final int LOOK_SHARE = 500;

  private static final long REST_NANOS = Duration.ofHours(1).toNanos();

  /** How the names of prepared transactions begin, which they get when they are prepared. */
  private static final String PREPARED = "-1/";

  /**
   * The running transactions.
   *
   * @param epoch the run of the server that answered
   * @param micros the time before they were listed
   */
  record Listing(long epoch, long micros, Collection<String> running) {}

  /**
   * Where one claim looks.
   *
   * @param isBounded whether the floor is used; if not, the rest means nothing
   * @param epoch the run of the server in which it was learnt; in any other it is void
   * @param listed the time of the last list; it is void if the clock was set back since
   * @param floor the lowest age to look at
   * @param since rows that became due since then are looked at, too, however old they are
   * @param watched transactions that are running, and since when each may be
   * @param isAfterList whether it is the first since a list
   * @param startedAt when it began; 0 if it does not look at everything
   */
  record View(
      boolean isBounded,
      long epoch,
      long listed,
      long floor,
      long since,
      Map<String, Long> watched,
      boolean isAfterList,
      long startedAt) {

    private static final View UNBOUNDED = new View(false, 0, 0, 0, 0, Map.of(), false, 0);

    String[] names() {
      return watched.keySet().toArray(String[]::new);
    }

    List<Long> times() {
      return List.copyOf(watched.values());
    }

    boolean looksAtAll() {
      return startedAt != 0;
    }
  }

  /**
   * What one claim saw.
   *
   * @param rows how many it took, or had to know of as they are in processing
   * @param pages how many pages of the table it read
   * @param epoch the run of the server that answered
   * @param lowest the age of the oldest undelivered row that it looked at
   * @param hasEnded whether a watched transaction is not running any more
   */
  record Sight(int rows, long pages, long epoch, long lowest, boolean hasEnded) {

    /** What a claim without a floor saw. */
    Sight(int rows, long pages) {
      this(rows, pages, 0, 0, false);
    }

    private boolean isExpensive() {
      return pages > MANY_PAGES + (long) rows * PAGES_OF_A_ROW;
    }
  }

  private final LongSupplier nanoTime;
  private boolean bounded;
  private long boundedFrom;
  private long epoch;
  private long listedMicros;
  private Map<String, Long> listed = Map.of();
  private boolean isListed;
  private long nextSince;
  private long listAt;
  private long floor;
  private long since;
  private Map<String, Long> watched = Map.of();
  private long lookAt;
  private long lookPause;

  LeasedFloor(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.boundedFrom = nanoTime.getAsLong();
  }

  /** Whether the running transactions are to be listed before the next claim. */
  boolean wantsList() {
    return bounded && nanoTime.getAsLong() - listAt >= 0;
  }

  void list(Listing listing) {
    if (listing.epoch() != epoch || listing.micros() < listedMicros) {
      begin();
      epoch = listing.epoch();
    }
    long before = listedMicros == 0 ? 0 : listedMicros - MARGIN_MICROS;
    long ended =
        listed.entrySet().stream()
            .filter(each -> !listing.running().contains(each.getKey()))
            .mapToLong(Map.Entry::getValue)
            .min()
            .orElse(before);
    Map<String, Long> now = new HashMap<>();
    for (String name : listing.running()) {
      long first = name.startsWith(PREPARED) ? Math.min(before, ended) : before;
      now.put(name, listed.getOrDefault(name, first));
    }
    listed = now;
    listedMicros = listing.micros();
    nextSince = before;
    isListed = true;
    listAt = nanoTime.getAsLong() + PERIOD_NANOS;
  }

  private void begin() {
    listedMicros = 0;
    listed = Map.of();
    isListed = false;
    floor = 0;
    since = 0;
    watched = Map.of();
    listAt = nanoTime.getAsLong();
  }

  View view() {
    if (!bounded) {
      return View.UNBOUNDED;
    }
    long now = nanoTime.getAsLong();
    return now - lookAt >= 0
        ? new View(true, epoch, listedMicros, 0, 0, watched, isListed, now)
        : new View(true, epoch, listedMicros, floor, since, watched, isListed, 0);
  }

  /** Learns from a claim; returns whether it has found a row where none should be. */
  boolean learn(View view, Sight sight) {
    long now = nanoTime.getAsLong();
    if (!view.isBounded()) {
      if (sight.isExpensive() && now - boundedFrom >= 0) {
        bounded = true;
        lookPause = FIRST_LOOK_NANOS;
        lookAt = now + lookPause;
        begin();
      }
      return false;
    }
    if (sight.epoch() != epoch) {
      begin();
      return false;
    }
    if (sight.hasEnded()) {
      listAt = now;
    }
    boolean isWrong = view.looksAtAll() && sight.lowest() < floor;
    // An old row that it found, and may have taken, keeps its key busy for the next claims.
    floor = Math.min(floor, sight.lowest());
    if (isWrong) {
      bounded = false;
      boundedFrom = now + REST_NANOS;
    } else if (view.looksAtAll() && !sight.isExpensive()) {
      bounded = false;
    } else if (view.isAfterList()) {
      rise(sight.lowest());
    }
    if (view.looksAtAll()) {
      lookPause = Math.min(LONGEST_LOOK_NANOS, lookPause * 2);
      lookAt = now + Math.max(lookPause, (now - view.startedAt()) * LOOK_SHARE);
    }
    return isWrong;
  }

  private void rise(long lowest) {
    since = nextSince;
    floor = Math.min(lowest, since);
    watched =
        listed.entrySet().stream()
            .filter(each -> each.getValue() < since)
            .collect(toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    isListed = false;
  }
}
