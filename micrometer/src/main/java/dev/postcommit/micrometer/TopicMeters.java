package dev.postcommit.micrometer;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Delivery.Deferred;
import dev.postcommit.relay.Delivery.Delivered;
import dev.postcommit.relay.Delivery.Rejected;
import dev.postcommit.relay.Delivery.Retryable;
import dev.postcommit.relay.Delivery.TopicUnavailable;
import dev.postcommit.relay.Delivery.Unavailable;
import io.micrometer.core.instrument.Counter;
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

  TopicMeters(Meters meters) {
    latency =
        meters.timer(
            "outbox.process.latency",
            "Time from the insert of an event to the broker's acknowledgement",
            Buckets.latency());
    failures = meters.counter("outbox.failure.count", "Attempts to deliver an event that failed");
    delivered = attempts(meters, "delivered");
    retryable = attempts(meters, "retryable");
    rejected = attempts(meters, "rejected");
    unavailable = released(meters, "unavailable");
    heldBack = released(meters, "held_back");
    deferred = released(meters, "deferred");
    topicUnavailable = released(meters, "topic_unavailable");
    violations =
        meters.counter("outbox.violations", "Events that may not be sent as they are, dead");
    dead = meters.counter("outbox.dead.events", "Events that were given up");
  }

  private static Counter attempts(Meters meters, String outcome) {
    return meters.with("outcome", outcome).counter("outbox.attempts", "Answers of the broker");
  }

  private static Counter released(Meters meters, String cause) {
    return meters
        .with("cause", cause)
        .counter("outbox.released", "Events given back without an attempt that counts");
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
