package dev.postcommit.bench.report;

/**
 * One figure of one run of a contender.
 *
 * @param variant how the scenario was set, such as a rate; empty if there is one way only
 * @param contender its id
 * @param round the number of the run, from 1
 * @param metric what was measured, with its unit at the end
 */
public record Row(
    String scenario, String variant, String contender, int round, String metric, double value) {

  /** Refuses what is not a figure. */
  public Row {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(
          "%s of %s in %s is not a number: %s".formatted(metric, contender, scenario, value));
    }
    if (round < 1) {
      throw new IllegalArgumentException("rounds are counted from 1: " + round);
    }
  }
}
