package dev.postcommit.store.internal;

import dev.postcommit.Ordering;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.store.internal.Backlog.Candidate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
final class Agenda {
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

  /**
   * A listing that took this long for nothing, because of rows that wait, is not repeated before so
   * many times its duration, if rows of the last moments can be listed in between: one event in a
   * hundred must not meet it.
   */
  private static final long MUCH_NANOS = Duration.ofMillis(2).toNanos();

  private static final long NANOS_OF_A_ROW = 10_000;
  private static final int RARELY = 200;
  private static final long LONGEST_TIME_NANOS = Duration.ofSeconds(10).toNanos();

  private final Set<String> ids = new HashSet<>();
  private final Map<String, Integer> keys = new HashMap<>();
  private final Set<String> inFlightAtListing = new HashSet<>();
  private final Set<String> closedSinceListing = new HashSet<>();
  private @Nullable Backlog backlog;
  private boolean fruitless;
  private long listAgainAt;
  private long oldAt;
  private @Nullable ClaimRequest listedInFullFor;
  private long listedInFullAt;
  private long listInFullAt;

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

  /** Whether the backlog is to be listed before more of it is taken. */
  synchronized boolean isOld(ClaimRequest request) {
    return backlog == null || !backlog.serves(request) || System.nanoTime() - oldAt >= 0;
  }

  /** Whether it is time to list the backlog, as nothing of the present list can be taken. */
  synchronized boolean mayList(ClaimRequest request) {
    return backlog == null
        || !backlog.serves(request)
        || (backlog.isUsedUp() && !fruitless)
        || System.nanoTime() - listAgainAt >= 0;
  }

  /** Whether nothing is in flight, and nothing left to take. */
  synchronized boolean isIdle() {
    return ids.isEmpty() && (backlog == null || backlog.isUsedUp());
  }

  /**
   * How long ago all of the table was listed, if it is enough to list what was written since and
   * shortly before; else nothing.
   */
  synchronized Optional<Duration> sinceFullListing(ClaimRequest request) {
    long now = System.nanoTime();
    boolean isEnough =
        listedInFullFor != null
            && Backlog.areAlike(listedInFullFor, request)
            && now - listInFullAt < 0
            && backlog != null
            && backlog.isUsedUp();
    return isEnough ? Optional.of(Duration.ofNanos(now - listedInFullAt)) : Optional.empty();
  }

  /** A listing begins. */
  synchronized void listing() {
    inFlightAtListing.clear();
    inFlightAtListing.addAll(ids);
    closedSinceListing.clear();
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
    long now = System.nanoTime();
    listedInFullFor = isWhole && isWasted ? request : null;
    listedInFullAt = now - nanos;
    listInFullAt = now + Math.min(nanos * RARELY, LONGEST_TIME_NANOS);
  }

  /** A listing that took {@code nanos} has shown these events, in the order of writing. */
  synchronized void listed(ClaimRequest request, List<Candidate> written, long nanos) {
    written.removeIf(candidate -> inFlightAtListing.contains(candidate.id()));
    backlog = new Backlog(request, written);
    closedSinceListing.forEach(backlog::close);
    long now = System.nanoTime();
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
      listedInFullFor = null;
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
    listedInFullFor = null;
  }

  /** The list is not used any more, since much may happen before it is asked for again. */
  synchronized void forget() {
    backlog = null;
  }

  /**
   * A claim has ended.
   *
   * @param undelivered keys of events that are still to be delivered
   * @param stale whether some of them are due at once, so the table is to be listed again
   */
  synchronized void ended(
      Collection<StoredEvent> events, Collection<String> undelivered, boolean stale) {
    events.forEach(event -> land(event.id(), event.key()));
    undelivered.forEach(this::close);
    if (stale || !undelivered.isEmpty()) {
      listedInFullFor = null;
    }
    if (stale) {
      backlog = null;
    }
  }

  private void land(String id, @Nullable String key) {
    ids.remove(id);
    if (key != null) {
      keys.computeIfPresent(key, (k, count) -> count == 1 ? null : count - 1);
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
