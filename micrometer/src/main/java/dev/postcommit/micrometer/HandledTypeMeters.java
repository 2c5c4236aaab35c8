package dev.postcommit.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The meters of the events of one type that a consumer is given. */
final class HandledTypeMeters {
  private final Map<String, Counter> ends;
  private final Counter retries;
  private final Timer handler;
  private final Timer latency;

  HandledTypeMeters(Meters consumer, String type) {
    Meters meters = consumer.with("type", type);
    ends =
        Stream.of("processed", "duplicate", "ignored", "dead")
            .collect(
                Collectors.toMap(
                    outcome -> outcome,
                    outcome ->
                        meters
                            .with("outcome", outcome)
                            .counter("inbox.events", "Events by how they ended")));
    retries = meters.counter("inbox.retries", "Attempts that are repeated");
    handler = meters.timer("inbox.handler", "Time that the handler took", Buckets.steps());
    latency = meters.timer("inbox.latency", "Time from the event to its effect", Buckets.latency());
  }

  void ended(String outcome) {
    Objects.requireNonNull(ends.get(outcome), outcome).increment();
  }

  void retried() {
    retries.increment();
  }

  void handled(long nanos) {
    handler.record(nanos, TimeUnit.NANOSECONDS);
  }

  /** The time since an event happened; clocks may disagree, so it may be negative. */
  void took(Duration time) {
    latency.record(time.isNegative() ? Duration.ZERO : time);
  }
}
