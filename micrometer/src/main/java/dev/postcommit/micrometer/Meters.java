package dev.postcommit.micrometer;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;

/** Registers meters that have the same tags; the gauges among them are removed together. */
final class Meters {
  private final MeterRegistry registry;
  private final Tags tags;
  private final List<Meter> gauges = new CopyOnWriteArrayList<>();

  Meters(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  Clock clock() {
    return registry.config().clock();
  }

  /** The same with one more tag. */
  Meters with(String key, String value) {
    return new Meters(registry, tags.and(key, value));
  }

  Counter counter(String name, String text) {
    return Counter.builder(name).description(text).tags(tags).register(registry);
  }

  /** A timer with a histogram of these buckets. */
  Timer timer(String name, String text, Duration... buckets) {
    return Timer.builder(name)
        .description(text)
        .tags(tags)
        .serviceLevelObjectives(buckets)
        .register(registry);
  }

  /** Adds a gauge; it keeps {@code state} alive. */
  <T> void gauge(String name, String text, T state, ToDoubleFunction<T> value) {
    register(Gauge.builder(name, state, value).description(text));
  }

  /** Adds a gauge in seconds. */
  <T> void gaugeOfSeconds(String name, String text, T state, ToDoubleFunction<T> value) {
    register(Gauge.builder(name, state, value).description(text).baseUnit("seconds"));
  }

  private void register(Gauge.Builder<?> gauge) {
    gauges.add(gauge.tags(tags).strongReference(true).register(registry));
  }

  /** Removes the gauges from the registry. */
  void removeGauges() {
    gauges.forEach(registry::remove);
    gauges.clear();
  }
}
