package dev.postcommit.micrometer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The meters of the first topics of a table up to a limit, and one set of meters for the others.
 */
final class Topics {
  static final String OTHER = "other";

  private final Meters table;
  private final int most;
  private final Map<String, TopicMeters> known = new ConcurrentHashMap<>();
  private final TopicMeters other;

  Topics(Meters table, int most) {
    this.table = table;
    this.most = most;
    this.other = meters(OTHER);
  }

  private TopicMeters meters(String topic) {
    return new TopicMeters(table.with("topic", topic));
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
    return known.computeIfAbsent(topic, name -> meters(TagValues.clean(name)));
  }
}
