package dev.postcommit.internal.store.log;

import dev.postcommit.Ordering;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.StoredEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a log that are claimed, for as long as a lease that nobody but their agenda knows of: the
 * one on the cursor is what keeps other relays away.
 */
final class LogClaim {
  private final boolean ordered;
  private final Map<String, LogEntry> entries;
  private long leasedAt;
  private long leaseNanos;

  /** A claim on {@code entries}, by the events' ids. */
  LogClaim(ClaimRequest request, Map<String, LogEntry> entries) {
    this.ordered = request.ordering() == Ordering.PER_KEY;
    this.entries = entries;
    renew(request.lease());
  }

  /** Makes it last for so long from now. */
  void renew(Duration lease) {
    leasedAt = System.nanoTime();
    leaseNanos = lease.toNanos();
  }

  boolean isOver() {
    return System.nanoTime() - leasedAt > leaseNanos;
  }

  /** Whether events of a key are to be delivered in order. */
  boolean isOrdered() {
    return ordered;
  }

  /** What is not finished, in order. */
  Collection<LogEntry> entries() {
    return entries.values();
  }

  /** Its events, in order. */
  List<StoredEvent> events() {
    List<StoredEvent> events = new ArrayList<>(entries.size());
    for (LogEntry entry : entries.values()) {
      events.add(entry.event());
    }
    return events;
  }

  int size() {
    return entries.size();
  }

  @Nullable LogEntry find(String id) {
    return entries.get(id);
  }

  boolean contains(LogEntry entry) {
    return entries.get(entry.id()) == entry;
  }

  /** Gives up one that is settled or returned; says whether it was there. */
  boolean remove(LogEntry entry) {
    return entries.remove(entry.id(), entry);
  }
}
