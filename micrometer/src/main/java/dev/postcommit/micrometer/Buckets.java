package dev.postcommit.micrometer;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.LongStream;

/** Histogram buckets, the same for every relay so that histograms can be added up. */
final class Buckets {
  private static final Duration LONGEST_STEP = Duration.ofMinutes(1);

  private static final long[] MICROS = {
    1_000,
    2_500,
    5_000,
    10_000,
    25_000,
    50_000,
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    30_000_000,
    60_000_000,
    120_000_000,
    300_000_000,
    600_000_000
  };

  private Buckets() {}

  /** For the time from insert to acknowledgement: one millisecond to ten minutes. */
  static Duration[] latency() {
    return LongStream.of(MICROS)
        .mapToObj(micros -> Duration.ofNanos(micros * 1_000))
        .toArray(Duration[]::new);
  }

  /** For one step of it: one millisecond to one minute. */
  static Duration[] steps() {
    return Arrays.stream(latency())
        .filter(bound -> bound.compareTo(LONGEST_STEP) <= 0)
        .toArray(Duration[]::new);
  }
}
