package dev.postcommit.bench.report;

import java.util.List;
import java.util.Map;

/**
 * What a plot shows.
 *
 * @param file its name, without an end
 * @param axis what the numbers are
 * @param entrants from top to bottom
 */
record Plot(
    String file,
    String title,
    String axis,
    Style style,
    List<Entrant> entrants,
    List<Series> series) {

  /** How numbers are drawn; names are always beside them. */
  enum Style {
    /** A bar for each series. */
    BARS,
    /** One bar, in which the series follow each other. */
    STACKED,
    /** A mark for each series, on a logarithmic scale. */
    MARKS
  }

  /** The numbers of one kind; who has none is absent. */
  record Series(String name, Map<Entrant, Double> values) {}

  boolean isEmpty() {
    return series.stream().allMatch(one -> one.values().isEmpty());
  }
}
