package dev.postcommit.bench.measure;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What came of draining a backlog.
 *
 * @param perSecond events delivered each second, from the first arrival to the last
 * @param delivered events that arrived
 * @param verdict what the ledger found
 * @param costs what each event cost
 */
public record Drained(double perSecond, int delivered, Verdict verdict, Map<String, Double> costs) {

  /** The rate and what the ledger found. */
  public Map<String, Double> metrics() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("events_per_second", perSecond);
    metrics.put("delivered", (double) delivered);
    metrics.putAll(verdict.metrics());
    return metrics;
  }

  /** For people. */
  public String text() {
    String wrong = verdict.text();
    return "%,.0f events/s".formatted(perSecond) + (wrong.isEmpty() ? "" : " (" + wrong + ")");
  }
}
