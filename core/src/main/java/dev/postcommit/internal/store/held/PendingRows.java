package dev.postcommit.internal.store.held;

import dev.postcommit.Ordering;
import dev.postcommit.internal.store.held.Backlog.Candidate;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.StoredEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one relay has before it: the backlog as last listed, and what of it is in flight. Safe for
 * use by many threads.
 *
 * <p>Claims and listings come from one thread at a time, the ends of claims from any, also while
 * the table is being listed. A listing still shows events that are in flight, or were when it
 * began; they are left out, and if one of them ends undelivered, its key is closed in the new list
 * too.
 */
final class PendingRows {
  /**
   * A listing of which nothing could be taken, or locked, is not repeated before so many times its
   * duration.
   */
  private static final int REST = 4;

  private static final long SHORTEST_REST_NANOS = Duration.ofMillis(5).toNanos();

  /**
   * A list is not used for longer than this many times the duration of the listing, and a second:
   * retries that have become due, and events of closed keys, wait for the next one.
   */
  private static final int USE = 20;

  private static final long SHORTEST_USE_NANOS = Duration.ofSeconds(1).toNanos();

  /** Where a listing took this long for nothing, because of rows that wait, parts are listed. */
  private static final long MUCH_NANOS = Duration.ofMillis(2).toNanos();

  private static final long NANOS_OF_A_ROW = 10_000;

  private final Set<String> ids = new HashSet<>();
  private final Map<String, Integer> keys = new HashMap<>();
  private final Set<String> inFlightAtListing = new HashSet<>();
  private final Set<String> closedSinceListing = new HashSet<>();
  private @Nullable Backlog backlog;
  private boolean fruitless;
  private long listAgainAt;
  private long oldAt;

  /** Whether events came back since the last listing began that it may not have shown. */
  private boolean isOutdated;

  private final LongSupplier nanoTime;
  private final RecentRows recent;

  /** Nothing is in flight. */
  PendingRows(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.recent = new RecentRows(nanoTime);
  }

  /** The ids of those of the next events of the list whose size in memory is not known. */
  synchronized List<String> unmeasured(ClaimRequest request) {
    return backlog == null || !backlog.serves(request)
        ? List.of()
        : backlog.unmeasured(request, keys.keySet());
  }

  /** These are the sizes of such events in memory. */
  synchronized void measured(Map<String, Long> sizes) {
    if (backlog != null) {
      backlog.measured(sizes);
    }
  }

  /** Takes the next events of the list, which are in flight from now on. */
  synchronized List<Candidate> take(ClaimRequest request) {
    if (backlog == null || !backlog.serves(request)) {
      return List.of();
    }
    List<Candidate> taken = backlog.take(request, keys.keySet());
    for (Candidate candidate : taken) {
      ids.add(candidate.id());
      if (candidate.key() != null) {
        keys.merge(candidate.key(), 1, Integer::sum);
      }
    }
    return taken;
  }

  /** Whether the backlog must be listed before more of it is taken. */
  synchronized boolean isOld(ClaimRequest request) {
    return backlog == null || !backlog.serves(request) || nanoTime.getAsLong() - oldAt >= 0;
  }

  /** Whether it is time to list the backlog, as nothing of the present list can be taken. */
  synchronized boolean mayList(ClaimRequest request) {
    return backlog == null
        || !backlog.serves(request)
        || (backlog.isUsedUp() && !fruitless)
        || nanoTime.getAsLong() - listAgainAt >= 0;
  }

  /** Whether nothing is in flight, and nothing left to take. */
  synchronized boolean isIdle() {
    return ids.isEmpty() && (backlog == null || backlog.isUsedUp());
  }

  /**
   * Whether it is enough to list {@linkplain RecentRows parts} of the table. What is left of the
   * present list is among them.
   */
  synchronized boolean areRecentRowsEnough(ClaimRequest request) {
    if (backlog == null || !backlog.serves(request) || !recent.areEnough(request)) {
      return false;
    }
    if (!backlog.isUsedUp()) {
      Set<@Nullable String> left = backlog.keysLeft();
      if (left.contains(null) || left.size() > RecentRows.MOST_KEYS) {
        return false;
      }
      recent.want(left.stream().filter(Objects::nonNull).toList());
    }
    return recent.areEnough(request);
  }

  /** For how long before now recent rows are listed. */
  synchronized Duration moment() {
    return recent.moment();
  }

  /**
   * The keys whose rows must all be listed.
   *
   * @param behind keys that have an older row than those that are listed
   */
  synchronized Set<String> takeWanted(Collection<String> behind) {
    Set<String> wanted = recent.takeWanted();
    wanted.addAll(landed(behind));
    return wanted;
  }

  /** Those of some keys that are not in flight; the others are wanted later. */
  private List<String> landed(Collection<String> some) {
    some.stream().filter(keys::containsKey).forEach(recent::wantOnceLanded);
    return some.stream().filter(key -> !keys.containsKey(key)).toList();
  }

  /** Whether the walk over the table is to take a step now. */
  synchronized boolean mayStep() {
    return recent.mayStep();
  }

  /** Where the step begins; null for the first one of a round. */
  synchronized RecentRows.@Nullable Position position() {
    return recent.position();
  }

  /**
   * The walk over the table took a step.
   *
   * @param scanned how many rows it read
   * @param last the last of them; null if there were none
   * @param foundKeys keys of events that may be claimed
   * @param foundIds events without a key that may be claimed
   */
  synchronized void stepped(
      long nanos,
      long scanned,
      RecentRows.@Nullable Position last,
      Collection<String> foundKeys,
      Collection<String> foundIds) {
    recent.stepped(nanos, scanned, last);
    recent.want(landed(foundKeys));
    if (foundKeys.size() > RecentRows.MOST_FOUND || !ids.containsAll(foundIds)) {
      recent.end();
    }
  }

  /** A listing begins. */
  synchronized void listing() {
    inFlightAtListing.clear();
    inFlightAtListing.addAll(ids);
    closedSinceListing.clear();
    isOutdated = false;
  }

  /**
   * A listing of all of the table has shown these events, in the order of writing.
   *
   * @param isWhole whether there were no more
   */
  synchronized void listedInFull(
      ClaimRequest request, List<Candidate> written, boolean isWhole, long nanos) {
    boolean isWasted = nanos - written.size() * NANOS_OF_A_ROW > MUCH_NANOS;
    listed(request, written, nanos);
    long startedAt = nanoTime.getAsLong() - nanos;
    recent.listedInFull(startedAt);
    if (isWhole && isWasted && !isOutdated) {
      recent.begin(request, startedAt);
    }
  }

  /**
   * A listing of parts of the table has shown these events.
   *
   * @param startedAt when it began
   * @param passed how many recent rows it passed over
   */
  synchronized void listedInPart(
      ClaimRequest request, List<Candidate> written, long startedAt, long passed) {
    listed(request, written, nanoTime.getAsLong() - startedAt);
    recent.listed(startedAt, passed);
  }

  /** A listing that took {@code nanos} has shown these events, in the order of writing. */
  private void listed(ClaimRequest request, List<Candidate> written, long nanos) {
    written.removeIf(candidate -> inFlightAtListing.contains(candidate.id()));
    backlog = new Backlog(request, written);
    closedSinceListing.forEach(backlog::close);
    long now = nanoTime.getAsLong();
    fruitless = false;
    listAgainAt = now + Math.max(nanos * REST, SHORTEST_REST_NANOS);
    oldAt = now + Math.max(nanos * USE, SHORTEST_USE_NANOS);
  }

  /**
   * Of the events taken, keeps those that were locked, in order; the others are given up, together
   * with the later ones of their keys.
   */
  synchronized List<StoredEvent> keep(
      ClaimRequest request, List<Candidate> taken, Map<String, StoredEvent> locked) {
    List<StoredEvent> kept = new ArrayList<>(taken.size());
    Set<String> lostKeys = new HashSet<>();
    for (Candidate candidate : taken) {
      StoredEvent event = locked.get(candidate.id());
      boolean inTurn = candidate.key() == null || !lostKeys.contains(candidate.key());
      if (event != null && inTurn) {
        kept.add(event);
        continue;
      }
      land(candidate.id(), candidate.key());
      close(candidate.key());
      listAll();
      if (candidate.key() != null && request.ordering() == Ordering.PER_KEY) {
        lostKeys.add(candidate.key());
      }
    }
    fruitless = kept.isEmpty();
    return kept;
  }

  /** Events taken could not be locked at all; what becomes of them is seen by the next listing. */
  synchronized void abandon(Collection<Candidate> taken) {
    taken.forEach(candidate -> land(candidate.id(), candidate.key()));
    taken.forEach(candidate -> close(candidate.key()));
    backlog = null;
    listAll();
  }

  /** The list is not used any more, since much may happen before it is asked for again. */
  synchronized void forget() {
    backlog = null;
  }

  /**
   * A claim has ended.
   *
   * @param undelivered keys of events that are still to be delivered, and when
   * @param stale whether some of them are due at once, so the table is to be listed again
   */
  synchronized void ended(
      Collection<StoredEvent> events, Map<String, Duration> undelivered, boolean stale) {
    events.forEach(event -> land(event.id(), event.key()));
    undelivered.forEach(
        (key, delay) -> {
          close(key);
          recent.retry(key, delay);
        });
    if (stale) {
      listAll();
      backlog = null;
    }
  }

  /** Makes the next listing one of the whole table, even if one is under way. */
  private void listAll() {
    recent.end();
    isOutdated = true;
  }

  private void land(String id, @Nullable String key) {
    ids.remove(id);
    if (key != null) {
      keys.computeIfPresent(key, (k, count) -> count == 1 ? null : count - 1);
      if (!keys.containsKey(key)) {
        recent.landed(key);
      }
    }
  }

  private void close(@Nullable String key) {
    if (key != null) {
      closedSinceListing.add(key);
      if (backlog != null) {
        backlog.close(key);
      }
    }
  }
}
