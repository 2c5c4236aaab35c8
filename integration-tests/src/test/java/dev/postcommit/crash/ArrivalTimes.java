package dev.postcommit.crash;

import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.ledger.LedgerReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A ledger that also notes when the events of each key first arrive. A duplicate is no news to a
 * consumer, so it does not end a gap.
 */
final class ArrivalTimes implements Ledger {
  private final Ledger ledger = Ledger.create();
  private final Set<String> ids = new HashSet<>();
  private final Map<String, List<Long>> times = new HashMap<>();

  /**
   * A time without arrivals of one key.
   *
   * @param key the key
   * @param length how long it lasted
   */
  record Gap(String key, Duration length) {}

  @Override
  public void delivered(String id, @Nullable String key) {
    arrived(id, String.valueOf(key), System.nanoTime());
    ledger.delivered(id, key);
  }

  /** Notes an arrival; times must not decrease. */
  synchronized void arrived(String id, String key, long nanos) {
    if (ids.add(id)) {
      times.computeIfAbsent(key, k -> new ArrayList<>()).add(nanos);
    }
  }

  /**
   * The longest time, from {@code from} until {@code to}, in which any key that has ever arrived
   * did not arrive. A gap that is open at either end counts as far as it lies in between.
   */
  synchronized Gap longestGap(long from, long to) {
    Gap longest = new Gap("none", Duration.ZERO);
    for (Map.Entry<String, List<Long>> key : times.entrySet()) {
      long nanos = longestGap(key.getValue(), from, to);
      if (nanos > longest.length().toNanos()) {
        longest = new Gap(key.getKey(), Duration.ofNanos(nanos));
      }
    }
    return longest;
  }

  private static long longestGap(List<Long> arrivals, long from, long to) {
    long longest = 0;
    long last = from;
    for (long arrival : arrivals) {
      if (arrival - from > 0 && to - arrival > 0) {
        longest = Math.max(longest, arrival - last);
        last = arrival;
      }
    }
    return Math.max(longest, to - last);
  }

  /** How many keys have arrived since a time. */
  synchronized long keysSince(long nanos) {
    return times.values().stream().filter(t -> t.get(t.size() - 1) - nanos > 0).count();
  }

  @Override
  public void committed(String id, @Nullable String key, long position) {
    ledger.committed(id, key, position);
  }

  @Override
  public void rolledBack(String id) {
    ledger.rolledBack(id);
  }

  @Override
  public void inDoubt(String id, @Nullable String key, long position) {
    ledger.inDoubt(id, key, position);
  }

  @Override
  public void expectedDead(String id) {
    ledger.expectedDead(id);
  }

  @Override
  public void dead(String id) {
    ledger.dead(id);
  }

  @Override
  public int outstanding() {
    return ledger.outstanding();
  }

  @Override
  public LedgerReport report() {
    return ledger.report();
  }
}
