package dev.postcommit.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Gauges of unavailable topics: one for each topic while it is unavailable, and beyond a limit one
 * shared gauge, which always exists. Safe for use by many threads.
 */
final class TopicOutages {
  private static final String NAME = "outbox.topic.unavailable";
  private static final String TEXT = "1 while a topic takes no messages and events wait for it";

  private final MeterRegistry registry;
  private final Tags table;
  private final int most;
  private final Map<String, Meter> shown = new HashMap<>();
  private final Set<String> others = new HashSet<>();
  private final Meter other;

  TopicOutages(MeterRegistry registry, Tags table, int most) {
    this.registry = registry;
    this.table = table;
    this.most = most;
    this.other =
        Gauge.builder(NAME, this, self -> self.hasOthers() ? 1 : 0)
            .description(TEXT)
            .tags(table.and("topic", Topics.OTHER))
            .strongReference(true)
            .register(registry);
  }

  private synchronized boolean hasOthers() {
    return !others.isEmpty();
  }

  synchronized void began(String topic) {
    String name = TagValues.clean(topic);
    if (shown.containsKey(name)) {
      return;
    }
    if (shown.size() >= most || name.equals(Topics.OTHER)) {
      others.add(name);
    } else {
      shown.put(name, gauge(name));
    }
  }

  private Meter gauge(String topic) {
    return Gauge.builder(NAME, () -> 1)
        .description(TEXT)
        .tags(table.and("topic", topic))
        .register(registry);
  }

  synchronized void ended(String topic) {
    String name = TagValues.clean(topic);
    others.remove(name);
    Meter gauge = shown.remove(name);
    if (gauge != null) {
      registry.remove(gauge);
    }
  }

  /** Removes the gauges from the registry. */
  synchronized void remove() {
    shown.values().forEach(registry::remove);
    shown.clear();
    registry.remove(other);
  }
}
