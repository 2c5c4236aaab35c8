package dev.postcommit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** What dashboard and alerts may speak of: what a process really shows. */
final class Ops {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** The labels that Prometheus adds to all it scrapes. */
  private static final Set<String> ADDED = Set.of("job", "instance");

  /** Every function in use; whoever uses another looks up whether Prometheus has it. */
  private static final Set<String> FUNCTIONS =
      Set.of(
          "absent",
          "count",
          "deriv",
          "histogram_quantile",
          "increase",
          "last_over_time",
          "max",
          "min",
          "rate",
          "sum");

  private final Scraped scraped = Everything.scraped();

  /** Checks that an expression is well formed and that all it names exists. */
  void check(String text) {
    PromExpression expression = PromExpression.of(text);
    assertThat(FUNCTIONS).as("functions of %s", text).containsAll(expression.functions());
    assertThat(expression.metrics()).as("metrics of %s", text).isNotEmpty();
    Set<String> all = new HashSet<>(ADDED);
    expression
        .metrics()
        .forEach(
            (metric, selectors) -> {
              Set<String> labels = labels(metric);
              assertThat(labels).as("labels of %s in %s", metric, text).containsAll(selectors);
              all.addAll(labels);
            });
    assertThat(all).as("labels of %s", text).containsAll(expression.labels());
  }

  /** The labels of a metric, which must exist. */
  Set<String> labels(String metric) {
    Set<String> labels = new HashSet<>(ADDED);
    assertThat(scraped.all(metric)).as("samples of %s", metric).isNotEmpty();
    scraped.all(metric).forEach(sample -> labels.addAll(sample.labels().keySet()));
    return labels;
  }
}
