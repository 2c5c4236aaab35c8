package dev.postcommit.testkit.ledger;

import dev.postcommit.testkit.ledger.LedgerReport.Findings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Keeps one entry for every id, and judges them only when asked. */
final class InMemoryLedger implements Ledger {

  private static final int FIRST = 10;

  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final List<Entry> arrivals = new ArrayList<>();
  private int duplicates;
  private int outstanding;

  @Override
  public synchronized void committed(String id, @Nullable String key, long position) {
    settle(id, Outcome.COMMITTED, key, position);
  }

  @Override
  public synchronized void rolledBack(String id) {
    settle(id, Outcome.ROLLED_BACK, null, 0);
  }

  @Override
  public synchronized void inDoubt(String id, @Nullable String key, long position) {
    settle(id, Outcome.IN_DOUBT, key, position);
  }

  @Override
  public synchronized void expectedDead(String id) {
    entry(id).expectedDead = true;
  }

  @Override
  public synchronized void dead(String id) {
    Entry entry = entry(id);
    outstanding -= entry.outstanding() ? 1 : 0;
    entry.dead = true;
  }

  @Override
  public synchronized void delivered(String id, @Nullable String key) {
    Entry entry = entry(id);
    if (entry.delivered) {
      duplicates++;
    } else {
      outstanding -= entry.outstanding() ? 1 : 0;
      entry.delivered = true;
      entry.deliveredKey = key;
      arrivals.add(entry);
    }
  }

  @Override
  public synchronized int outstanding() {
    return outstanding;
  }

  @Override
  public synchronized LedgerReport report() {
    Collection<Entry> all = entries.values();
    return new LedgerReport(
        count(Entry::committed),
        count(entry -> entry.delivered && entry.mayBeDelivered()),
        find(all, Entry::outstanding),
        find(all, entry -> (entry.delivered || entry.dead) && !entry.mayBeDelivered()),
        outOfOrder(),
        duplicates,
        count(entry -> entry.dead),
        count(entry -> entry.expectedDead),
        find(all, entry -> entry.dead && !entry.expectedDead),
        find(all, entry -> entry.expectedDead && !entry.dead),
        find(arrivals, entry -> entry.mayBeDelivered() && entry.keyDiffers()),
        count(entry -> entry.outcome == Outcome.IN_DOUBT));
  }

  private void settle(String id, Outcome outcome, @Nullable String key, long position) {
    Entry entry = entry(id);
    outstanding -= entry.outstanding() ? 1 : 0;
    entry.outcome = outcome;
    entry.key = key;
    entry.position = position;
    outstanding += entry.outstanding() ? 1 : 0;
  }

  private Entry entry(String id) {
    return entries.computeIfAbsent(id, Entry::new);
  }

  private int count(Predicate<Entry> predicate) {
    return (int) entries.values().stream().filter(predicate).count();
  }

  private static Findings find(Collection<Entry> entries, Predicate<Entry> predicate) {
    List<Entry> found = entries.stream().filter(predicate).toList();
    return new Findings(found.size(), found.stream().limit(FIRST).map(entry -> entry.id).toList());
  }

  private Findings outOfOrder() {
    Map<String, Long> furthest = new HashMap<>();
    List<Entry> late = new ArrayList<>();
    for (Entry entry : arrivals) {
      if (entry.key != null && entry.mayBeDelivered() && !entry.dead) {
        if (entry.position < furthest.getOrDefault(entry.key, Long.MIN_VALUE)) {
          late.add(entry);
        } else {
          furthest.put(entry.key, entry.position);
        }
      }
    }
    return find(late, entry -> true);
  }

  private enum Outcome {
    UNKNOWN,
    COMMITTED,
    ROLLED_BACK,
    IN_DOUBT
  }

  private static final class Entry {

    final String id;
    Outcome outcome = Outcome.UNKNOWN;
    @Nullable String key;
    long position;
    boolean delivered;
    @Nullable String deliveredKey;
    boolean dead;
    boolean expectedDead;

    Entry(String id) {
      this.id = id;
    }

    boolean committed() {
      return outcome == Outcome.COMMITTED;
    }

    boolean mayBeDelivered() {
      return outcome == Outcome.COMMITTED || outcome == Outcome.IN_DOUBT;
    }

    boolean outstanding() {
      return committed() && !delivered && !dead;
    }

    boolean keyDiffers() {
      return !Objects.equals(key, deliveredKey);
    }
  }
}
