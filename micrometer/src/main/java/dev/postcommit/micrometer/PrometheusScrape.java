package dev.postcommit.micrometer;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.regex.Pattern;

/**
 * Writes a registry for Prometheus, in the text format that every version of it reads and with the
 * exact names of the metrics.
 *
 * <p>Prometheus' own writers end the name of every counter in {@code _total}, and OpenMetrics
 * demands it. {@code outbox_failure_count} has a name that was agreed on without, so it loses the
 * ending here; no other metric changes. Safe for use by many threads.
 */
public final class PrometheusScrape {
  /** What {@link #text} is, whatever the scraper asked for. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  // Names stand at the beginning of a line only: line ends within values are escaped.
  private static final Pattern FAILURES =
      Pattern.compile("(?m)^((?:# (?:HELP|TYPE) )?outbox_failure_count)_total(?=[ {])");

  private final PrometheusMeterRegistry registry;

  /** A writer of what is in {@code registry}, which should have the {@link ExactNames}. */
  public PrometheusScrape(PrometheusMeterRegistry registry) {
    this.registry = registry;
  }

  /** A new registry with the {@link ExactNames} and every default. */
  public static PrometheusMeterRegistry newRegistry() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.config().namingConvention(new ExactNames());
    return registry;
  }

  /** All metrics as they are now. */
  public String text() {
    return FAILURES.matcher(registry.scrape(CONTENT_TYPE)).replaceAll("$1");
  }
}
