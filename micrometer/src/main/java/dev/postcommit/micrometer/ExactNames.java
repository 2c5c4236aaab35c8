package dev.postcommit.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.NamingConvention;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import org.jspecify.annotations.Nullable;

/**
 * The Prometheus naming convention, except that {@code outbox_process_latency} does not get the
 * {@code _seconds} of other timers.
 *
 * <p>Set it on a {@link PrometheusMeterRegistry} before adding meters: {@code
 * registry.config().namingConvention(new ExactNames())}.
 */
public final class ExactNames implements NamingConvention {
  private static final String LATENCY = "outbox.process.latency";

  private final NamingConvention usual = new PrometheusNamingConvention();

  @Override
  public String name(String name, Meter.Type type, @Nullable String baseUnit) {
    return name.equals(LATENCY) ? snakeCase.name(name, type) : usual.name(name, type, baseUnit);
  }

  @Override
  public String tagKey(String key) {
    return usual.tagKey(key);
  }
}
