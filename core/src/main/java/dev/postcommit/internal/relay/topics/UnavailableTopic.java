package dev.postcommit.internal.relay.topics;

import dev.postcommit.internal.store.TopicRegistry.Entry;
import dev.postcommit.support.Backoff;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A topic that takes no messages, and when it is probed next. Safe for use by many threads. */
final class UnavailableTopic {
  private static final Duration FIRST_PROBE = Duration.ofMillis(500);
  private static final Duration LONGEST_BETWEEN_PROBES = Duration.ofSeconds(5);

  /** A probe that is not answered by then will not be. */
  private static final long UNANSWERED_NANOS = Duration.ofMinutes(1).toNanos();

  private final LongSupplier nanoTime;
  private final long lostAt;
  private final Backoff backoff = new Backoff(FIRST_PROBE, LONGEST_BETWEEN_PROBES);
  private volatile String reason;
  private volatile @Nullable Entry entry;
  private volatile boolean registered;
  private boolean seen;
  private boolean probing;
  private long probingSince;
  private boolean hasNextProbe;
  private long probeAt;

  /**
   * A topic that takes no messages, as was found now.
   *
   * @param nanoTime tells the time, as {@link System#nanoTime} does
   */
  UnavailableTopic(String reason, LongSupplier nanoTime) {
    this.reason = reason;
    this.nanoTime = nanoTime;
    this.lostAt = nanoTime.getAsLong();
    this.probeAt = lostAt;
  }

  String reason() {
    return reason;
  }

  /** When it was found to take no messages, by the clock it was given. */
  long lostAt() {
    return lostAt;
  }

  /** How long that is ago. */
  Duration lasting() {
    return Duration.ofNanos(nanoTime.getAsLong() - lostAt);
  }

  /** Whether this relay has seen it fail, rather than heard of it. */
  synchronized boolean isSeen() {
    return seen;
  }

  /** Whether the registry has been told of it. */
  boolean isRegistered() {
    return registered;
  }

  void registered() {
    registered = true;
  }

  /** What the registry says of it, or null if it has not been told yet. */
  @Nullable Entry entry() {
    return entry;
  }

  /** Learns what the registry says; returns whether an operator has given it up since. */
  synchronized boolean learn(Entry now) {
    @Nullable Entry before = entry;
    entry = now;
    registered = true;
    boolean isNews = before == null || !Objects.equals(before.givenUpAt(), now.givenUpAt());
    return now.givenUpAt() != null && isNews;
  }

  /** Whether a message is to be sent to probe it; whoever is told so sends one. */
  synchronized boolean mayProbe() {
    long now = nanoTime.getAsLong();
    boolean waits = probing && now - probingSince < UNANSWERED_NANOS;
    if (waits || now - probeAt < 0) {
      return false;
    }
    probing = true;
    probingSince = now;
    hasNextProbe = false;
    return true;
  }

  /** A message failed for it. */
  synchronized void failed(String why) {
    reason = why;
    seen = true;
    probing = false;
    if (!hasNextProbe) {
      probeAt = Math.max(probeAt, nanoTime.getAsLong() + FIRST_PROBE.toNanos());
    }
  }

  /** It is not known what became of a probe. */
  synchronized void unanswered() {
    probing = false;
  }

  /** When the event that asks is due to probe it; empty if another is, or is being sent. */
  synchronized Optional<Duration> nextProbe() {
    if (hasNextProbe || probing) {
      return Optional.empty();
    }
    hasNextProbe = true;
    long delay = backoff.nextNanos();
    probeAt = nanoTime.getAsLong() + delay;
    return Optional.of(Duration.ofNanos(delay));
  }

  /** Whether the event that was to probe it has not come for so long. */
  synchronized boolean hasLostProbe(Duration time) {
    return seen && !probing && nanoTime.getAsLong() - probeAt > time.toNanos();
  }

  /** Lets the next event probe it. */
  synchronized void probeAnew() {
    probing = false;
    hasNextProbe = false;
    probeAt = nanoTime.getAsLong();
  }
}
