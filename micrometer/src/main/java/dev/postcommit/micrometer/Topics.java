package dev.postcommit.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The meters of the first topics of a table up to a limit, and one set of meters for the others.
 */
final class Topics {
  static final String OTHER = "other";

  private final MeterRegistry registry;
  private final Tags table;
  private final int most;
  private final Map<String, TopicMeters> known = new ConcurrentHashMap<>();
  private final TopicMeters other;

  Topics(MeterRegistry registry, Tags table, int most) {
    this.registry = registry;
    this.table = table;
    this.most = most;
    this.other = new TopicMeters(registry, table, OTHER);
  }

  /** Returns the meters of a topic; registers them the first time. */
  TopicMeters of(String topic) {
    TopicMeters meters = known.get(topic);
    if (meters != null) {
      return meters;
    }
    return known.size() < most ? added(topic) : other;
  }

  private synchronized TopicMeters added(String topic) {
    if (known.size() >= most) {
      return known.getOrDefault(topic, other);
    }
    return known.computeIfAbsent(
        topic, name -> new TopicMeters(registry, table, TagValues.clean(name)));
  }
}
