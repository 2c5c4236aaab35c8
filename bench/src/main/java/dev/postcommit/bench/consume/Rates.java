package dev.postcommit.bench.consume;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the rounds of one run measured. */
final class Rates {
  private final int events;
  private final Map<String, List<Double>> rates = new LinkedHashMap<>();

  Rates(int events) {
    this.events = events;
  }

  /** Prints a rate, and keeps it unless this is the first round, which warms up. */
  void note(int round, String name, Duration took) {
    double rate = events / (took.toNanos() / 1e9);
    System.out.printf("  %-36s %,10.0f events/s%n", name, rate);
    if (round > 0) {
      rates.computeIfAbsent(name, n -> new ArrayList<>()).add(rate);
    }
  }

  private double median(String name) {
    double[] values = rates.getOrDefault(name, List.of()).stream().mapToDouble(v -> v).toArray();
    Arrays.sort(values);
    return values[values.length / 2];
  }

  /** Prints the medians of all names, each beside that of a reference. */
  void print(String reference) {
    double bare = median(reference);
    System.out.printf(
        "%-38s %10s %10s %10s %14s%n", "", "events/s", "least", "most", "of the bare");
    rates.forEach(
        (name, values) ->
            System.out.printf(
                "%-38s %,10.0f %,10.0f %,10.0f %14.2f%n",
                name,
                median(name),
                Collections.min(values),
                Collections.max(values),
                median(name) / bare));
  }
}
