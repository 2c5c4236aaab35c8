package dev.postcommit.internal.store.leased;

import static java.util.stream.Collectors.toUnmodifiableMap;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The age below which a claim of leased rows does not look, so that it does not walk over settled
 * rows while an open transaction keeps Postgres from removing them. It is used only where walking
 * over them is expensive.
 *
 * <p>A row is at most as old as its transaction. So no row is missed as long as all undelivered
 * rows that are visible are younger than the floor, and so are all transactions that are not
 * visible yet. Running transactions are listed periodically. A transaction that is not in a list
 * has ended or began after it, so one that was not in the list before began after that list. When a
 * claim has run after the latest list, the floor rises to the time of the list before. Transactions
 * that are in both may be older, so they are watched: a claim that finds that one of them has ended
 * looks from the time at which it may have begun. The claim checks this after it has taken its
 * snapshot, and a transaction still counts as running while it releases its locks. So a claim that
 * sees the rows of a session that had waited for the transaction, or was told of its commit, does
 * not find it running.
 *
 * <p>Rows that an operator replays may be of any age, but they are due from the time of the replay,
 * and the claim looks for those separately.
 *
 * <p>Other rows below the floor, such as those of a writer that sets the times of its events
 * itself, are found late but never missed: periodically a claim looks at everything. If it finds
 * such a row, the floor is not used for an hour. For use by one thread at a time.
 */
final class LeasedFloor {
  /** How many pages a claim may read, besides those of the rows that it needs. */
  private static final long MANY_PAGES = 200;

  private static final int PAGES_OF_A_ROW = 4;

  private static final long PERIOD_NANOS = Duration.ofMillis(100).toNanos();

  /** A transaction has its time shortly before it is listed as running. */
  private static final long MARGIN_MICROS = 1_000_000;

  private static final long FIRST_LOOK_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long LONGEST_LOOK_NANOS = Duration.ofMinutes(1).toNanos();

  /** Looking at everything may take one part in this many of the time. */
  private static final int LOOK_SHARE = 500;

  private static final long REST_NANOS = Duration.ofHours(1).toNanos();

  /** The prefix of the names that transactions get when they are prepared. */
  private static final String PREPARED = "-1/";

  /**
   * The running transactions.
   *
   * @param epoch identifies the run of the server that answered
   * @param micros the time just before they were listed
   */
  record Listing(long epoch, long micros, Collection<String> running) {
    static Listing read(ResultSet row) throws SQLException {
      String[] running = (String[]) row.getArray("running").getArray();
      return new Listing(row.getLong("epoch"), row.getLong("micros"), Set.copyOf(List.of(running)));
    }
  }

  /**
   * Where one claim looks.
   *
   * @param isBounded whether the floor is used; if not, the rest means nothing
   * @param epoch the run of the server that the floor is valid for
   * @param listed the time of the latest list; the floor is void if the clock was set back since
   * @param floor the lowest age to look at
   * @param since rows that became due since then are included, however old they are
   * @param watched running transactions, with the earliest time at which each may have begun
   * @param isAfterList whether the claim is the first since a list
   * @param startedAt when it began if it looks at everything, else 0
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
   * @param rows how many it took or had to know about because they are in processing
   * @param pages how many pages of the table it read
   * @param epoch identifies the run of the server that answered
   * @param lowest the age of the oldest undelivered row that it looked at
   * @param hasEnded whether a watched transaction has ended
   */
  record Sight(int rows, long pages, long epoch, long lowest, boolean hasEnded) {

    /** What a claim without a floor saw. */
    Sight(int rows, long pages) {
      this(rows, pages, 0, 0, false);
    }

    /** What a claim above a floor saw. */
    static Sight read(ResultSet row, int rows) throws SQLException {
      long lowest = row.getLong("lowest");
      long oldest = row.wasNull() ? Long.MAX_VALUE : lowest;
      long epoch = row.getLong("epoch");
      return new Sight(rows, row.getLong("pages"), epoch, oldest, row.getBoolean("has_ended"));
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

  /** Whether to list the running transactions before the next claim. */
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

  /** Learns from a claim; returns whether it found a row where none should be. */
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
    // An old row that was found, and perhaps taken, keeps its key busy for the next claims.
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
