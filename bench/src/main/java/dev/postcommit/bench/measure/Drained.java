package dev.postcommit.bench.measure;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of draining a backlog.
 *
 * @param perSecond events delivered each second, from the first arrival to the last
 * @param delivered events that arrived
 * @param verdict the result of the ledger
 * @param costs what each event cost
 */
public record Drained(double perSecond, int delivered, Verdict verdict, Map<String, Double> costs) {

  /** Returns the rate and the result of the ledger. */
  public Map<String, Double> metrics() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("events_per_second", perSecond);
    metrics.put("delivered", (double) delivered);
    metrics.putAll(verdict.metrics());
    return metrics;
  }

  /** Returns a description. */
  public String text() {
    String wrong = verdict.text();
    return "%,.0f events/s".formatted(perSecond) + (wrong.isEmpty() ? "" : " (" + wrong + ")");
  }
}
