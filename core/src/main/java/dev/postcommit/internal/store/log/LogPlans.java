package dev.postcommit.internal.store.log;

import dev.postcommit.internal.store.Settlement;
import dev.postcommit.internal.store.log.LogAgenda.Diversion;
import dev.postcommit.internal.store.log.LogAgenda.Plan;
import dev.postcommit.store.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Plans how a claim on rows of a log is settled; changes nothing. */
final class LogPlans {
  private LogPlans() {}

  /** What outcomes come to; null if the claim is not on all of these events. */
  static @Nullable Plan of(LogClaim claim, Collection<? extends Outcome> outcomes, LogKeys keys) {
    List<LogEntry> settled = new ArrayList<>(outcomes.size());
    boolean allDelivered = true;
    for (Outcome outcome : outcomes) {
      @Nullable LogEntry entry = claim.find(outcome.id());
      if (entry == null) {
        return null;
      }
      settled.add(entry);
      allDelivered &= outcome instanceof Outcome.Delivered;
    }
    // Almost always, and then neither keys nor the order of the claim matter.
    return allDelivered
        ? new Plan(settled, List.of(), List.of(), Set.of())
        : ofMixed(claim, outcomes, keys);
  }

  private static Plan ofMixed(
      LogClaim claim, Collection<? extends Outcome> outcomes, LogKeys keys) {
    Map<String, Outcome> byId = new HashMap<>();
    outcomes.forEach(outcome -> byId.put(outcome.id(), outcome));
    Set<String> failing = claim.isOrdered() ? failing(claim, byId) : Set.of();
    List<LogEntry> done = new ArrayList<>();
    List<LogEntry> returned = new ArrayList<>();
    List<Diversion> diversions = new ArrayList<>();
    Set<String> closing = new HashSet<>(failing);
    for (LogEntry entry : claim.entries()) {
      @Nullable Outcome outcome = byId.get(entry.id());
      if (outcome == null) {
        continue;
      }
      @Nullable String key = entry.key();
      boolean waits =
          key != null && (failing.contains(key) || (claim.isOrdered() && keys.isClosed(key)));
      if (outcome instanceof Outcome.Released && !waits) {
        returned.add(entry);
        continue;
      }
      done.add(entry);
      if (!(outcome instanceof Outcome.Delivered)) {
        diversions.add(diversion(entry, outcome));
      }
      // Its key is closed, but by what was read before it was diverted; a page that is on its way
      // may tell that nothing of the key waits any more.
      if (outcome instanceof Outcome.Released && key != null) {
        closing.add(key);
      }
    }
    return new Plan(done, returned, diversions, closing);
  }

  /** The keys of which an event is to be tried again, and so before the later ones. */
  private static Set<String> failing(LogClaim claim, Map<String, Outcome> outcomes) {
    Set<String> keys = new HashSet<>();
    for (LogEntry entry : claim.entries()) {
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
