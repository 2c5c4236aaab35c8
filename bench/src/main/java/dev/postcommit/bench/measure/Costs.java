package dev.postcommit.bench.measure;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** What each event of a run cost; the use of processors counts up to its making. */
public final class Costs {
  private final Meter meter;
  private final int events;
  private final Map<String, Double> metrics;

  Costs(Meter meter, int events) {
    this.meter = meter;
    this.events = events;
    this.metrics = new LinkedHashMap<>(meter.cpuPer(events));
  }

  /** Adds what was written, after the contender has stopped and its sessions have ended. */
  public void addWrites() throws SQLException, InterruptedException {
    meter.awaitEndOfSessions();
    metrics.putAll(meter.writesPer(events));
  }

  public Map<String, Double> metrics() {
    return metrics;
  }
}
