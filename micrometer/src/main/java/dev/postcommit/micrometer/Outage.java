package dev.postcommit.micrometer;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Metrics of the availability of a system that a relay depends on. */
final class Outage {
  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Clock clock;
  private final Counter outages;
  private volatile @Nullable Long lostAt;

  Outage(String system, Meters meters) {
    clock = meters.clock();
    outages =
        meters.counter(
            "outbox." + system + ".outages", "How often the " + system + " became unavailable");
    meters.gauge(
        "outbox." + system + ".available",
        "1 if the " + system + " can be used, 0 if the relay waits for it",
        this,
        Outage::available);
    meters.gaugeOfSeconds(
        "outbox." + system + ".outage",
        "How long the " + system + " has been unavailable, 0 if it can be used",
        this,
        Outage::seconds);
  }

  synchronized void began() {
    if (lostAt == null) {
      lostAt = clock.monotonicTime();
      outages.increment();
    }
  }

  synchronized void ended() {
    lostAt = null;
  }

  private double available() {
    return lostAt == null ? 1 : 0;
  }

  private double seconds() {
    Long since = lostAt;
    return since == null ? 0 : Math.max(0, clock.monotonicTime() - since) / NANOS;
  }
}
