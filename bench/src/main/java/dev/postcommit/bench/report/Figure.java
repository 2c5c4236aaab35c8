package dev.postcommit.bench.report;

import java.util.Collection;
import java.util.List;

/**
 * What the rounds of one measurement gave.
 *
 * @param rounds how many there were
 */
record Figure(double median, double least, double most, int rounds) {

  static Figure of(Collection<Double> rounds) {
    List<Double> sorted = rounds.stream().sorted().toList();
    int size = sorted.size();
    return new Figure(
        (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2,
        sorted.get(0),
        sorted.get(size - 1),
        size);
  }

  /** Whether each round of this one is better than each of {@code other}. */
  boolean isApartFrom(Figure other, Metric metric) {
    return metric.isHigherBetter() ? least > other.most : most < other.least;
  }
}
