package dev.postcommit.bench.report;

import java.util.List;

/**
 * The answer of a contender to a question, over all rounds.
 *
 * @param mark what must be known of it; empty if nothing
 */
record Figure(double median, double least, double most, String mark) {
  /** The contender was stopped before it had delivered everything. */
  static final String STOPPED = "*";

  /** Writers or events fell behind the rate, which makes a latency look better than it is. */
  static final String LATE = "†";

  static Figure of(List<Double> rounds, String mark) {
    List<Double> sorted = rounds.stream().sorted().toList();
    int size = sorted.size();
    return new Figure(
        (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2,
        sorted.get(0),
        sorted.get(size - 1),
        mark);
  }

  /** The median, with its mark. */
  String text() {
    return Numbers.text(median) + mark;
  }

  String range() {
    return least == most ? "" : Numbers.text(least) + " – " + Numbers.text(most);
  }
}
