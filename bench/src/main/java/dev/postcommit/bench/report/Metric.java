package dev.postcommit.bench.report;

import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/** What is measured, by the name it has in the rows. */
record Metric(String key) {
  static final Metric RATE = new Metric("events_per_second");
  static final Metric P99 = new Metric("p99_ms");
  static final Metric ADDED = new Metric("added_us");
  static final Metric WAL = new Metric("wal_bytes");
  static final Metric COMMITS = new Metric("commits");
  static final Metric ROWS = new Metric("rows_written");
  static final Metric DEAD_ROWS = new Metric("dead_rows");

  /** The CPU time of all that takes part, which is the sum of {@link Figures#CPU}. */
  static final Metric CPU = new Metric("cpu_us");

  /** A lead of less is none. */
  private static final double EQUAL = 1.005;

  private static final Map<String, String> TITLES =
      Map.ofEntries(
          Map.entry("events_per_second", "events/s"),
          Map.entry("p50_ms", "p50, ms"),
          Map.entry("p95_ms", "p95, ms"),
          Map.entry("p99_ms", "p99, ms"),
          Map.entry("p999_ms", "p99.9, ms"),
          Map.entry("max_ms", "max, ms"),
          Map.entry("due_p99_ms", "p99 from due, ms"),
          Map.entry("written_per_second", "written/s"),
          Map.entry("out_of_order", "out of order"),
          Map.entry("rows_written", "rows written"),
          Map.entry("dead_rows", "dead row versions"),
          Map.entry("wal_bytes", "WAL, bytes"),
          Map.entry("cpu_us", "CPU, µs"),
          Map.entry("database_cpu_us", "CPU of the database, µs"),
          Map.entry("relay_cpu_us", "CPU of the relay, µs"),
          Map.entry("broker_cpu_us", "CPU of the broker, µs"),
          Map.entry("plain_us", "without, µs"),
          Map.entry("with_us", "with, µs"),
          Map.entry("added_us", "added, µs"),
          Map.entry("plain_per_second", "without, tx/s"),
          Map.entry("with_per_second", "with, tx/s"),
          Map.entry("recovered_s", "recovered, s"));

  /** What no contender is better or worse for: what it was given to do. */
  private static final Set<String> GIVEN =
      Set.of("delivered", "plain_us", "plain_per_second", "written_per_second");

  String title() {
    return TITLES.getOrDefault(key, key.replace('_', ' '));
  }

  boolean isHigherBetter() {
    return key.endsWith("_per_second");
  }

  boolean isContested() {
    return !GIVEN.contains(key);
  }

  boolean isBetter(double one, double other) {
    return isHigherBetter() ? one > other : one < other;
  }

  /** Whether {@code one} is better than {@code other} by more than counts as the same. */
  boolean isAhead(double one, double other) {
    return isBetter(one, other) && lead(one, other).orElse(EQUAL) >= EQUAL;
  }

  /** How many times better {@code one} is than {@code other}, if that can be said. */
  OptionalDouble lead(double one, double other) {
    return isHigherBetter() ? ratio(one, other) : ratio(other, one);
  }

  /** {@code one / other}, if both are what a ratio can be made of. */
  static OptionalDouble ratio(double one, double other) {
    return one >= 0 && other > 0 ? OptionalDouble.of(one / other) : OptionalDouble.empty();
  }
}
