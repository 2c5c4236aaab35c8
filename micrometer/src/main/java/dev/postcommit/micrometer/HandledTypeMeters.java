package dev.postcommit.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
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

  HandledTypeMeters(MeterRegistry registry, Tags consumer, String type) {
    Tags tags = consumer.and("type", type);
    ends =
        Stream.of("processed", "duplicate", "ignored", "dead")
            .collect(
                Collectors.toMap(
                    outcome -> outcome,
                    outcome ->
                        Counter.builder("inbox.events")
                            .description("Events by how they ended")
                            .tags(tags.and("outcome", outcome))
                            .register(registry)));
    retries =
        Counter.builder("inbox.retries")
            .description("Attempts that are repeated")
            .tags(tags)
            .register(registry);
    handler =
        Timer.builder("inbox.handler")
            .description("Time that the handler took")
            .tags(tags)
            .serviceLevelObjectives(Buckets.steps())
            .register(registry);
    latency =
        Timer.builder("inbox.latency")
            .description("Time from the event to its effect")
            .tags(tags)
            .serviceLevelObjectives(Buckets.latency())
            .register(registry);
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
