package dev.postcommit.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;

/** Gauges that are removed together. */
final class StateGauges {
  private final MeterRegistry registry;
  private final Tags tags;
  private final List<Meter> gauges = new CopyOnWriteArrayList<>();

  StateGauges(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  /** Adds a gauge; it keeps {@code state} alive. */
  <T> void add(String name, String text, T state, ToDoubleFunction<T> value) {
    register(Gauge.builder(name, state, value).description(text));
  }

  /** Adds a gauge in seconds. */
  <T> void addSeconds(String name, String text, T state, ToDoubleFunction<T> value) {
    register(Gauge.builder(name, state, value).description(text).baseUnit("seconds"));
  }

  private void register(Gauge.Builder<?> gauge) {
    gauges.add(gauge.tags(tags).strongReference(true).register(registry));
  }

  /** Removes the gauges from the registry. */
  void remove() {
    gauges.forEach(registry::remove);
    gauges.clear();
  }
}
