package dev.postcommit.examples.minichat.dispatcher;

import dev.postcommit.examples.minichat.usage.UsageEvent;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.DeadSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The usage events that nobody was charged for, as gauges and as health. Whoever looks at the
 * gauges waits for no database: they show what {@link #read} found last.
 */
public final class DeadUsage {
  private static final DeadFilter USAGE =
      new DeadFilter(null, null, UsageEvent.TOPIC, null, null, null, null);

  private final OutboxAdmin admin;
  private volatile Reading last = new Reading(0, Duration.ZERO);

  /** Gauges in {@code registry}. */
  public DeadUsage(OutboxAdmin admin, MeterRegistry registry) {
    this.admin = admin;
    Gauge.builder("mini_chat_outbox_dead_letter_backlog", this, self -> self.last.backlog())
        .tags("kind", "usage")
        .strongReference(true)
        .register(registry);
    Gauge.builder(
            "mini_chat_outbox_dead_letter_oldest_age_seconds",
            this,
            self -> self.last.oldestAge().toSeconds())
        .tags("kind", "usage")
        .strongReference(true)
        .register(registry);
  }

  /** Looks at the table; to be called every few seconds. */
  public Reading read() {
    List<DeadSummary> oldest = admin.dead(USAGE, 1);
    Duration age =
        oldest.isEmpty()
            ? Duration.ZERO
            : Duration.between(oldest.get(0).createdAt(), Instant.now());
    Reading reading = new Reading(admin.countDead(USAGE), age.isNegative() ? Duration.ZERO : age);
    last = reading;
    return reading;
  }

  /** The oldest dead usage events. */
  public List<DeadSummary> events(int limit) {
    return admin.dead(USAGE, limit);
  }

  /**
   * What was found.
   *
   * @param backlog how many usage events are dead
   * @param oldestAge how long ago the oldest of them was written
   */
  public record Reading(long backlog, Duration oldestAge) {
    private static final Duration TOO_OLD = Duration.ofHours(1);

    /** Whether an operator is to look at it. */
    public boolean isDegraded() {
      return backlog > 0 || oldestAge.compareTo(TOO_OLD) > 0;
    }
  }
}
