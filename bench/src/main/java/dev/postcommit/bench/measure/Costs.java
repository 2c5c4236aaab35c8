package dev.postcommit.bench.measure;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The cost of each event of a run; CPU time counts until this object is created. */
public final class Costs {
  private final Meter meter;
  private final int events;
  private final Map<String, Double> metrics;

  Costs(Meter meter, int events) {
    this.meter = meter;
    this.events = events;
    this.metrics = new LinkedHashMap<>(meter.cpuPer(events));
  }

  /** Adds the writes, after the contender has stopped and its sessions have ended. */
  public void addWrites() throws SQLException, InterruptedException {
    meter.awaitEndOfSessions();
    metrics.putAll(meter.writesPer(events));
  }

  public Map<String, Double> metrics() {
    return metrics;
  }
}
