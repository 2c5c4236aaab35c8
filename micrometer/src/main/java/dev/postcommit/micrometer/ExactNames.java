package dev.postcommit.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.NamingConvention;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import org.jspecify.annotations.Nullable;

/**
 * Names metrics as Prometheus has them, but for {@code outbox_process_latency}, which was agreed on
 * without the {@code _seconds} that every other timer gets.
 *
 * <p>A {@link PrometheusMeterRegistry} is given it before its meters: {@code
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
