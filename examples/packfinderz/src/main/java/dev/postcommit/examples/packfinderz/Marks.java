package dev.postcommit.examples.packfinderz;

import dev.postcommit.examples.packfinderz.compliance.ComplianceConsumer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;

/** What Redis remembers of handled events. */
final class Marks {
  /** The event that was written last. */
  static final String NEWEST_EVENT = "SELECT id FROM outbox_events ORDER BY id DESC LIMIT 1";

  private final RedisClient client;

  Marks(RedisClient client) {
    this.client = client;
  }

  static String key(String eventId) {
    return ComplianceConsumer.MARKS + ":" + ComplianceConsumer.NAME + ":" + eventId;
  }

  /** How many seconds the event is remembered as processed; negative if it is not. */
  long secondsLeft(String eventId) {
    try (StatefulRedisConnection<String, String> redis = client.connect()) {
      String mark = redis.sync().get(key(eventId));
      return mark == null || mark.startsWith("in-progress") ? -1 : redis.sync().ttl(key(eventId));
    }
  }

  void delete(String eventId) {
    try (StatefulRedisConnection<String, String> redis = client.connect()) {
      redis.sync().del(key(eventId));
    }
  }

  boolean isThere(String eventId) {
    try (StatefulRedisConnection<String, String> redis = client.connect()) {
      return redis.sync().exists(key(eventId)) == 1;
    }
  }
}
