package dev.postcommit.micrometer;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Whether one of a relay's neighbours can be used, and since when it cannot. */
final class Outage {
  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Clock clock;
  private final Counter outages;
  private volatile @Nullable Long lostAt;

  Outage(String neighbour, MeterRegistry registry, Tags tags, StateGauges gauges) {
    clock = registry.config().clock();
    outages =
        Counter.builder("outbox." + neighbour + ".outages")
            .description("How often the " + neighbour + " became unavailable")
            .tags(tags)
            .register(registry);
    gauges.add(
        "outbox." + neighbour + ".available",
        "1 if the " + neighbour + " can be used, 0 if the relay waits for it",
        this,
        Outage::available);
    gauges.addSeconds(
        "outbox." + neighbour + ".outage",
        "How long the " + neighbour + " has been unavailable, 0 if it can be used",
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
