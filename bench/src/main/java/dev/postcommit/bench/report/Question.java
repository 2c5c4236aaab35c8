package dev.postcommit.bench.report;

import java.util.List;

/**
 * A row of the page's table.
 *
 * @param text the question, as the page asks it
 * @param scenario the scenario that answers it
 * @param variant the variant of the scenario; empty if any
 * @param metrics the metrics whose sum is the answer
 */
record Question(String text, String scenario, String variant, List<String> metrics) {
  static final Question DRAIN =
      new Question("backlog delivered, events/s", "drain", "", "events_per_second");
  static final Question SUSTAINED =
      new Question("highest rate held, events/s", "sustained", "", "events_per_second");
  static final Question LATENCY =
      new Question("p99 latency at 1,000 events/s, ms", "steady", "1000", "p99_ms");
  static final Question ADDED =
      new Question("added to a transaction, µs", "enqueue", "1", "added_us");

  static final List<Question> ALL =
      List.of(
          DRAIN,
          SUSTAINED,
          new Question("p99 latency at 200 events/s, ms", "steady", "200", "p99_ms"),
          LATENCY,
          new Question("p99 latency at 3,000 events/s, ms", "steady", "3000", "p99_ms"),
          ADDED,
          new Question(
              "CPU per event of a backlog, µs",
              "drain",
              "",
              List.of("database_cpu_us", "relay_cpu_us", "broker_cpu_us")),
          new Question("WAL per event of a backlog, bytes", "drain", "", "wal_bytes"),
          new Question("recovery after an outage of the broker, s", "outage", "", "recovered_s"));

  private Question(String text, String scenario, String variant, String metric) {
    this(text, scenario, variant, List.of(metric));
  }

  /** Returns whether {@code row} is of the scenario and variant of this question. */
  boolean isAbout(Row row) {
    return row.scenario().equals(scenario) && (variant.isEmpty() || row.variant().equals(variant));
  }

  boolean isHigherBetter() {
    return metrics.get(0).endsWith("_per_second");
  }
}
