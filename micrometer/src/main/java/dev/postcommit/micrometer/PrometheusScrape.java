package dev.postcommit.micrometer;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.regex.Pattern;

/**
 * Writes a registry in the text format that every version of Prometheus reads, with the exact
 * metric names.
 *
 * <p>Prometheus' own writers append {@code _total} to the name of every counter, as OpenMetrics
 * requires. This class removes it from {@code outbox_failure_count}, and changes nothing else. Safe
 * for use by many threads.
 */
public final class PrometheusScrape {
  /** The content type of {@link #text}. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  // Names appear only at the start of a line: line breaks in values are escaped.
  private static final Pattern FAILURES =
      Pattern.compile("(?m)^((?:# (?:HELP|TYPE) )?outbox_failure_count)_total(?=[ {])");

  private final PrometheusMeterRegistry registry;

  /** Creates a writer for {@code registry}, which should use {@link ExactNames}. */
  public PrometheusScrape(PrometheusMeterRegistry registry) {
    this.registry = registry;
  }

  /** Creates a registry that uses {@link ExactNames} and otherwise the defaults. */
  public static PrometheusMeterRegistry newRegistry() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.config().namingConvention(new ExactNames());
    return registry;
  }

  /** Returns the current values of all metrics. */
  public String text() {
    return FAILURES.matcher(registry.scrape(CONTENT_TYPE)).replaceAll("$1");
  }
}
