package dev.postcommit.micrometer;

import java.time.Duration;
import java.util.stream.DoubleStream;

/** The upper bounds of histograms, fixed so that the figures of many relays can be added up. */
final class Buckets {
  private static final double[] SECONDS = {
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600
  };
  private static final double LONGEST_STEP = 60;
  private static final long NANOS = 1_000_000_000;

  private Buckets() {}

  /** For the way of an event from insert to publish: from a millisecond to ten minutes, in s. */
  static double[] latency() {
    return SECONDS.clone();
  }

  /** For one step of that way: from a millisecond to a minute. */
  static Duration[] steps() {
    return DoubleStream.of(SECONDS)
        .filter(bound -> bound <= LONGEST_STEP)
        .mapToObj(bound -> Duration.ofNanos(Math.round(bound * NANOS)))
        .toArray(Duration[]::new);
  }
}
