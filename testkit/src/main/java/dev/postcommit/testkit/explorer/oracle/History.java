package dev.postcommit.testkit.explorer.oracle;

import dev.postcommit.store.OutboxAdmin.Action;
import dev.postcommit.store.OutboxAdmin.AuditEntry;
import dev.postcommit.testkit.explorer.scenario.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records what writers, relays and the broker saw in a run, and checks the promises: nothing lost,
 * nothing phantom, first deliveries in order, no event claimed twice at a time, nothing dead
 * without a reason.
 */
public final class History {

  /** An event that a writer wrote or tried to write. */
  static final class Written {
    final String name;
    final String key;
    final int transaction;
    final long beganAt;
    final @Nullable String dedupeKey;
    long committedAt;

    Written(String name, String key, int transaction, long beganAt, @Nullable String dedupeKey) {
      this.dedupeKey = dedupeKey;
      this.name = name;
      this.key = key;
      this.transaction = transaction;
      this.beganAt = beganAt;
    }

    boolean isCommitted() {
      return committedAt > 0;
    }

    /** Returns whether it was written before another; overlapping transactions have no order. */
    boolean isBefore(Written other) {
      return transaction == other.transaction
          ? beganAt < other.beganAt
          : isCommitted() && committedAt < other.beganAt;
    }
  }

  /** A claim that a relay is working on. */
  public static final class Working {
    private final String relay;
    private final Set<String> events;

    private Working(String relay, Collection<String> events) {
      this.relay = relay;
      this.events = Set.copyOf(events);
    }
  }

  private final Map<String, Written> written = new LinkedHashMap<>();
  private final List<String> arrivals = new ArrayList<>();
  private final List<Working> working = new ArrayList<>();
  private final List<Working> copies = new ArrayList<>();
  private final Map<String, String> dead = new HashMap<>();
  private final Set<String> mayDie = new HashSet<>();
  private final Set<String> gone = new HashSet<>();
  private final Map<String, Integer> takeOvers = new HashMap<>();
  private final Set<String> discarded = new HashSet<>();
  private boolean isReplayed;
  private boolean isDecided;
  private long decided;
  private long leases;
  private long time;
  private int transactions;

  public synchronized int beginTransaction() {
    return ++transactions;
  }

  /** An event is about to be inserted. */
  public synchronized void inserts(
      String id, String name, String key, int transaction, @Nullable String dedupeKey) {
    written.put(id, new Written(name, key, transaction, ++time, dedupeKey));
  }

  /** An insert failed. */
  public synchronized void notInserted(String id) {
    written.remove(id);
  }

  /** A transaction is committed. */
  public synchronized void committed(int transaction) {
    long now = ++time;
    written.values().stream()
        .filter(event -> event.transaction == transaction)
        .forEach(event -> event.committedAt = now);
  }

  /** A commit succeeded whose reply was lost. */
  public synchronized void foundCommitted(Collection<String> ids) {
    long now = ++time;
    written.forEach(
        (id, event) -> {
          if (ids.contains(id) && !event.isCommitted()) {
            event.committedAt = now;
          }
        });
  }

  /** A message arrives at the broker. */
  public synchronized void arrived(String id) {
    arrivals.add(id);
    Written event = written.get(id);
    if (event == null) {
      throw new Violation("an event that nobody wrote was delivered: " + id);
    }
  }

  /**
   * A relay has claimed events.
   *
   * @param start what had happened before: if leases have ended since, the claim's may be one of
   *     them; if the relay was taken over since, it has only a copy of the events
   */
  public synchronized Working claimed(String relay, Collection<String> ids, ClaimStart start) {
    Working mine = new Working(relay, ids);
    if (start.leases() != leases) {
      return mine;
    }
    copies.add(mine);
    if (start.takeOvers() != takeOvers(relay)) {
      return mine;
    }
    for (Working other : working) {
      for (String id : ids) {
        if (other.events.contains(id)) {
          throw new Violation(
              "%s was claimed by %s while %s works on it".formatted(name(id), relay, other.relay));
        }
      }
    }
    working.add(mine);
    return mine;
  }

  /** A relay has ended its claim or knows that its lease has ended. */
  public synchronized void released(Working claim) {
    working.remove(claim);
    copies.remove(claim);
  }

  /** Returns how often all leases have ended. */
  public synchronized long leases() {
    return leases;
  }

  /** All leases have ended. */
  public synchronized void leasesEnd() {
    leases++;
    releasedAll();
  }

  /** The session that shows a relay to others has ended. */
  public synchronized void gone(String relay) {
    gone.add(relay);
  }

  /** Others see a relay again. */
  public synchronized void isBack(String relay) {
    gone.remove(relay);
  }

  /** The claims of relays that are gone were released. */
  public synchronized void takenOver() {
    working.removeIf(claim -> gone.contains(claim.relay));
    gone.forEach(relay -> takeOvers.merge(relay, 1, Integer::sum));
  }

  /** Returns how often the claims of a relay were released because it was gone. */
  public synchronized int takeOvers(String relay) {
    return takeOvers.getOrDefault(relay, 0);
  }

  /** Returns whether another relay may send an event, too, having lost its claim. */
  public synchronized boolean hasCopy(String relay, String id) {
    return copies.stream()
        .anyMatch(claim -> !claim.relay.equals(relay) && claim.events.contains(id));
  }

  /** An operator replays dead events, which may then arrive after later ones. */
  public synchronized void replays() {
    isReplayed = true;
    isDecided = true;
  }

  /** An operator decided on this many dead events. */
  public synchronized void decided(long events) {
    isDecided = true;
    decided += events;
  }

  public synchronized boolean isDecided() {
    return isDecided;
  }

  /** Checks that the audit table records every decision. */
  public synchronized void checkAudit(Collection<AuditEntry> entries) {
    if (entries.size() != decided) {
      throw new Violation(
          "operators decided on %d events, and the audit tells of %d"
              .formatted(decided, entries.size()));
    }
    for (AuditEntry entry : entries) {
      if (entry.action() == Action.DISCARD) {
        discarded.add(entry.eventId());
      }
    }
  }

  /** All leases have ended, or their relays are gone. */
  public synchronized void releasedAll() {
    working.clear();
    copies.clear();
  }

  public synchronized void mayDie(String id) {
    mayDie.add(id);
  }

  public synchronized Set<String> arrivals() {
    return new HashSet<>(arrivals);
  }

  public synchronized Set<String> committed() {
    Set<String> ids = new HashSet<>();
    written.forEach(
        (id, event) -> {
          if (event.isCommitted()) {
            ids.add(id);
          }
        });
    return ids;
  }

  synchronized Set<String> ids() {
    return new HashSet<>(written.keySet());
  }

  public synchronized String name(String id) {
    Written event = written.get(id);
    return event == null ? id : event.name;
  }

  /** Returns arrivals by name, to compare runs. */
  public synchronized List<String> arrivalNames() {
    return arrivals.stream().map(this::name).toList();
  }

  /**
   * Checks the promises at the end of a run.
   *
   * @param isOnce whether nothing failed, so that no event may have arrived twice
   */
  public synchronized void check(Collection<String> deadIds, boolean isOnce) {
    if (isOnce && arrivals.size() > arrivals().size()) {
      throw new Violation("an event was delivered twice: " + arrivalNames());
    }
    Set<String> dedupeKeys = new HashSet<>();
    for (Written event : written.values()) {
      if (event.isCommitted() && event.dedupeKey != null && !dedupeKeys.add(event.dedupeKey)) {
        throw new Violation(event.name + " was written though its dedupe key was there");
      }
    }
    deadIds.forEach(id -> dead.put(id, name(id)));
    for (String id : arrivals) {
      Written event = written.get(id);
      if (event != null && !event.isCommitted()) {
        throw new Violation(event.name + " was delivered though it was not committed");
      }
    }
    written.forEach(
        (id, event) -> {
          if (event.isCommitted()
              && !arrivals.contains(id)
              && !dead.containsKey(id)
              && !discarded.contains(id)) {
            throw new Violation(event.name + " was lost");
          }
          if (dead.containsKey(id) && !mayDie.contains(id)) {
            throw new Violation(event.name + " is dead for no reason");
          }
        });
    checkOrder();
  }

  private void checkOrder() {
    Map<String, Integer> first = new LinkedHashMap<>();
    for (int i = 0; i < arrivals.size(); i++) {
      first.putIfAbsent(arrivals.get(i), i);
    }
    for (String early : first.keySet()) {
      for (String late : first.keySet()) {
        @Nullable Written a = written.get(early);
        @Nullable Written b = written.get(late);
        if (a != null
            && b != null
            && a != b
            && a.key.equals(b.key)
            && a.isBefore(b)
            && !(isReplayed && mayDie.contains(early))
            && first.get(early) > first.get(late)) {
          throw new Violation(
              "%s was delivered before %s, which was written first (key %s)"
                  .formatted(b.name, a.name, a.key));
        }
      }
    }
  }
}
