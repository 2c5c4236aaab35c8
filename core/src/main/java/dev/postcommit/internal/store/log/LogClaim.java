package dev.postcommit.internal.store.log;

import dev.postcommit.Ordering;
import dev.postcommit.internal.store.Settlement;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
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
 * Rows of a log that are claimed. Its lease exists only in memory: the lease on the cursor keeps
 * other relays away. The lock of {@link LogInFlight} guards it.
 */
final class LogClaim {

  /** A row to copy to the native table. */
  record Diversion(
      long seq, String status, long attempts, @Nullable Long delay, @Nullable String error) {

    /** A row that has not failed, but waits for one that has. */
    static Diversion waiting(long seq) {
      return new Diversion(seq, "pending", 0, null, null);
    }
  }

  /**
   * What a settlement does.
   *
   * @param generation the {@linkplain LogInFlight#begin reading} to which the claim belongs
   * @param done rows that the cursor may pass, because they are delivered or diverted
   * @param returned rows that are due again at once
   * @param keys those to close: an event of each is diverted, and later events wait for it
   */
  record Plan(
      long generation,
      List<LogEntry> done,
      List<LogEntry> returned,
      List<Diversion> diversions,
      Set<String> keys) {

    boolean delivers() {
      return done.size() > diversions.size();
    }
  }

  private final boolean ordered;
  private final Map<String, LogEntry> entries;
  private long leasedAt;
  private long leaseNanos;

  /** A claim on {@code entries}, by event id. */
  LogClaim(ClaimRequest request, Map<String, LogEntry> entries) {
    this.ordered = request.ordering() == Ordering.PER_KEY;
    this.entries = entries;
    renew(request.lease());
  }

  /** Extends it to so long from now. */
  void renew(Duration lease) {
    leasedAt = System.nanoTime();
    leaseNanos = lease.toNanos();
  }

  boolean isOver() {
    return System.nanoTime() - leasedAt > leaseNanos;
  }

  /** The rows that are not finished, in order. */
  Collection<LogEntry> entries() {
    return entries.values();
  }

  /** The events of these rows. */
  List<StoredEvent> events() {
    List<StoredEvent> events = new ArrayList<>(entries.size());
    entries.values().forEach(entry -> events.add(entry.event()));
    return events;
  }

  int size() {
    return entries.size();
  }

  /** Whether the first of these rows are all of its own. */
  boolean isFirstOf(Collection<LogEntry> rows) {
    return rows.stream().takeWhile(row -> entries.get(row.id()) == row).count() == size();
  }

  /** Removes a row that is settled or returned; returns whether it was there. */
  boolean remove(LogEntry entry) {
    return entries.remove(entry.id(), entry);
  }

  /** Whether it has to be in order, and has an event of a closed key. */
  boolean hasClosedKey(LogKeys keys) {
    return ordered
        && !keys.areAllOpen()
        && entries.values().stream().anyMatch(entry -> keys.isClosed(entry.key()));
  }

  /** What outcomes lead to; empty if the claim is not on all of these events. Changes nothing. */
  Optional<Plan> plan(Collection<? extends Outcome> outcomes, LogKeys keys, long generation) {
    List<LogEntry> settled = new ArrayList<>(outcomes.size());
    boolean allDelivered = true;
    for (Outcome outcome : outcomes) {
      @Nullable LogEntry entry = entries.get(outcome.id());
      if (entry == null) {
        return Optional.empty();
      }
      settled.add(entry);
      allDelivered &= outcome instanceof Outcome.Delivered;
    }
    // Almost always true, and then neither keys nor the order of the claim matter.
    return Optional.of(
        allDelivered
            ? new Plan(generation, settled, List.of(), List.of(), Set.of())
            : mixed(outcomes, keys, generation));
  }

  private Plan mixed(Collection<? extends Outcome> outcomes, LogKeys keys, long generation) {
    Map<String, Outcome> byId = new HashMap<>();
    outcomes.forEach(outcome -> byId.put(outcome.id(), outcome));
    Set<String> failing = ordered ? failing(byId) : Set.of();
    List<LogEntry> done = new ArrayList<>();
    List<LogEntry> returned = new ArrayList<>();
    List<Diversion> diversions = new ArrayList<>();
    Set<String> closing = new HashSet<>(failing);
    for (LogEntry entry : entries.values()) {
      @Nullable Outcome outcome = byId.get(entry.id());
      if (outcome == null) {
        continue;
      }
      @Nullable String key = entry.key();
      boolean waits = key != null && (failing.contains(key) || (ordered && keys.isClosed(key)));
      if (outcome instanceof Outcome.Released && !waits) {
        returned.add(entry);
        continue;
      }
      done.add(entry);
      if (!(outcome instanceof Outcome.Delivered)) {
        diversions.add(diversion(entry, outcome));
      }
      // Its key is closed already, but a page that was read before this diversion may report that
      // nothing of the key waits. Closing it anew keeps it closed.
      if (outcome instanceof Outcome.Released && key != null) {
        closing.add(key);
      }
    }
    return new Plan(generation, done, returned, diversions, closing);
  }

  /** The keys with an event that will be tried again, before the later ones. */
  private Set<String> failing(Map<String, Outcome> outcomes) {
    Set<String> keys = new HashSet<>();
    for (LogEntry entry : entries.values()) {
      @Nullable String key = entry.key();
      @Nullable Outcome outcome = outcomes.get(entry.id());
      boolean waits = outcome instanceof Outcome.Retry || outcome instanceof Outcome.Deferred;
      if (key != null && waits) {
        keys.add(key);
      }
    }
    return keys;
  }

  private static Diversion diversion(LogEntry entry, Outcome outcome) {
    if (outcome instanceof Outcome.Released) {
      return Diversion.waiting(entry.seq());
    }
    Settlement.Line line = Settlement.line(outcome);
    int attempts = entry.event().attempt() - (line.counts() ? 0 : 1);
    return new Diversion(entry.seq(), line.status(), attempts, line.delay(), line.error());
  }
}
