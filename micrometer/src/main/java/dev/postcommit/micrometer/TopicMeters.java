package dev.postcommit.micrometer;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Delivery.Deferred;
import dev.postcommit.relay.Delivery.Delivered;
import dev.postcommit.relay.Delivery.Rejected;
import dev.postcommit.relay.Delivery.Retryable;
import dev.postcommit.relay.Delivery.TopicUnavailable;
import dev.postcommit.relay.Delivery.Unavailable;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** The meters of one topic, all registered at zero from the start. */
final class TopicMeters {
  private final Timer latency;
  private final Counter failures;
  private final Counter delivered;
  private final Counter retryable;
  private final Counter rejected;
  private final Counter unavailable;
  private final Counter heldBack;
  private final Counter deferred;
  private final Counter topicUnavailable;
  private final Counter violations;
  private final Counter dead;

  TopicMeters(MeterRegistry registry, Tags table, String topic) {
    Tags tags = table.and("topic", topic);
    latency =
        Timer.builder("outbox.process.latency")
            .description("Time from the insert of an event to the broker's acknowledgement")
            .tags(tags)
            .serviceLevelObjectives(Buckets.latency())
            .register(registry);
    failures =
        counter(registry, "outbox.failure.count", "Attempts to deliver an event that failed", tags);
    delivered = attempts(registry, tags, "delivered");
    retryable = attempts(registry, tags, "retryable");
    rejected = attempts(registry, tags, "rejected");
    unavailable = released(registry, tags, "unavailable");
    heldBack = released(registry, tags, "held_back");
    deferred = released(registry, tags, "deferred");
    topicUnavailable = released(registry, tags, "topic_unavailable");
    violations =
        counter(
            registry, "outbox.violations", "Events that may not be sent as they are, dead", tags);
    dead = counter(registry, "outbox.dead.events", "Events that were given up", tags);
  }

  private static Counter attempts(MeterRegistry registry, Tags tags, String outcome) {
    return counter(
        registry, "outbox.attempts", "Answers of the broker", tags.and("outcome", outcome));
  }

  private static Counter released(MeterRegistry registry, Tags tags, String cause) {
    return counter(
        registry,
        "outbox.released",
        "Events given back without an attempt that counts",
        tags.and("cause", cause));
  }

  private static Counter counter(MeterRegistry registry, String name, String text, Tags tags) {
    return Counter.builder(name).description(text).tags(tags).register(registry);
  }

  void answered(Delivery delivery) {
    if (delivery instanceof Delivered) {
      delivered.increment();
    } else if (delivery instanceof Retryable) {
      retryable.increment();
    } else if (delivery instanceof Rejected) {
      rejected.increment();
    } else if (delivery instanceof Unavailable) {
      unavailable.increment();
    } else if (delivery instanceof Deferred) {
      deferred.increment();
    } else if (delivery instanceof TopicUnavailable) {
      topicUnavailable.increment();
    } else {
      heldBack.increment();
    }
  }

  void processed(long nanos) {
    latency.record(nanos, TimeUnit.NANOSECONDS);
  }

  void failed() {
    failures.increment();
  }

  void violation() {
    violations.increment();
  }

  void dead() {
    dead.increment();
  }
}
