package dev.postcommit.bench.measure;

import dev.postcommit.bench.contender.Keys;
import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.ledger.LedgerReport;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * The result of the ledger for a run.
 *
 * @param lost committed events that neither arrived nor are dead at the end
 * @param phantom events that arrived though their transaction was rolled back
 * @param outOfOrder events that first arrived after a later one of their key
 * @param repeated duplicate messages
 * @param left events that had not arrived when the run was stopped
 */
public record Verdict(int lost, int phantom, int outOfOrder, int repeated, int left) {

  /**
   * Checks a run of {@code events} events.
   *
   * @param stopped whether the run was stopped early, so that missing events are not lost
   */
  public static Verdict of(
      Arrivals arrivals, int events, Keys keys, IntPredicate committed, boolean stopped) {
    Ledger ledger = Ledger.create();
    for (int n = 0; n < events; n++) {
      if (committed.test(n)) {
        ledger.committed(Integer.toString(n), key(keys, n), n);
      } else {
        ledger.rolledBack(Integer.toString(n));
      }
    }
    for (int i = 0; i < arrivals.count(); i++) {
      int n = arrivals.number(i);
      ledger.delivered(Integer.toString(n), key(keys, n));
    }
    LedgerReport report = ledger.report();
    int missing = report.lost().count();
    return new Verdict(
        stopped ? 0 : missing,
        report.phantom().count(),
        report.outOfOrder().count(),
        report.duplicates(),
        stopped ? missing : 0);
  }

  private static String key(Keys keys, int n) {
    return Integer.toString(keys.of(n));
  }

  /** Returns the counts by name. */
  public Map<String, Double> metrics() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("lost", (double) lost);
    metrics.put("phantom", (double) phantom);
    metrics.put("out_of_order", (double) outOfOrder);
    metrics.put("repeated", (double) repeated);
    metrics.put("left", (double) left);
    return metrics;
  }

  /** Describes what is wrong; empty if nothing is. */
  public String text() {
    StringBuilder text = new StringBuilder();
    append(text, lost, "lost");
    append(text, phantom, "rolled back and delivered");
    append(text, outOfOrder, "out of order");
    append(text, repeated, "repeated");
    append(text, left, "left");
    return text.toString();
  }

  private static void append(StringBuilder text, int count, String what) {
    if (count > 0) {
      text.append(text.isEmpty() ? "" : ", ").append("%,d %s".formatted(count, what));
    }
  }
}
