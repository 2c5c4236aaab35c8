package dev.postcommit;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * When a failed delivery is tried again, and when the relay gives up.
 *
 * <p>After attempt <i>n</i> the delay is {@code min(baseDelay * 2^(n-1), maxDelay)}, shortened by a
 * uniformly random part of up to {@code jitter}.
 *
 * @param maxAttempts total deliveries of one event, the first included; at least 1. {@link
 *     #UNLIMITED} never gives up. Default 20
 * @param baseDelay the delay after the first failure; positive. Default 1 s
 * @param maxDelay the longest delay; at least {@code baseDelay}. Default 5 min
 * @param jitter the part of a delay that is random, from 0 to 1. Default 0.5
 */
public record RetryPolicy(int maxAttempts, Duration baseDelay, Duration maxDelay, double jitter) {

  /** The {@code maxAttempts} that never gives up. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  private static final int LARGEST_SHIFT = 30;
  private static final double HALF = 0.5;

  /** Twenty attempts, from one second to five minutes apart. */
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(20, Duration.ofSeconds(1), Duration.ofMinutes(5));

  /** Refuses limits that contradict each other. */
  public RetryPolicy {
    if (maxAttempts < 1) {
      throw new IllegalArgumentException("maxAttempts must be at least 1, not " + maxAttempts);
    }
    if (baseDelay.isNegative() || baseDelay.isZero()) {
      throw new IllegalArgumentException("baseDelay must be positive, not " + baseDelay);
    }
    if (maxDelay.compareTo(baseDelay) < 0) {
      throw new IllegalArgumentException(
          "maxDelay (" + maxDelay + ") must not be shorter than baseDelay (" + baseDelay + ")");
    }
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new IllegalArgumentException("jitter must be from 0 to 1, not " + jitter);
    }
  }

  /** A policy half of whose delays is random. */
  public RetryPolicy(int maxAttempts, Duration baseDelay, Duration maxDelay) {
    this(maxAttempts, baseDelay, maxDelay, HALF);
  }

  /** This policy with another limit of attempts. */
  public RetryPolicy withMaxAttempts(int limit) {
    return new RetryPolicy(limit, baseDelay, maxDelay, jitter);
  }

  /**
   * The delay before the next attempt, or empty if {@code attempt} was the last one.
   *
   * @param attempt the number of the attempt that failed, from 1
   * @param random where the jitter comes from
   */
  public Optional<Duration> delayAfter(int attempt, RandomGenerator random) {
    if (attempt >= maxAttempts) {
      return Optional.empty();
    }
    Duration delay = maxDelay;
    int doublings = Math.max(attempt, 1) - 1;
    if (doublings <= LARGEST_SHIFT) {
      Duration grown = baseDelay.multipliedBy(1L << doublings);
      delay = grown.compareTo(maxDelay) < 0 ? grown : maxDelay;
    }
    long nanos = delay.toNanos();
    long randomPart = (long) (nanos * jitter);
    return Optional.of(Duration.ofNanos(nanos - randomPart + random.nextLong(randomPart + 1)));
  }
}
