package dev.postcommit.kafka.consumer;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a broker has been silent for too long.
 *
 * <p>A consumer that fetches has an answer every half second, even if there is nothing to read. One
 * that does not, because it has no partitions or all of them are paused, has answers to its
 * heartbeats only, and not even these while it waits for a rebalance to end: other members may take
 * their time to give up partitions, or have crashed, which shows after their session timeout.
 *
 * <p>A silence that was too long ends with the next answer, and with nothing else.
 */
final class Silence {
  /** Polls that are further apart do not show what arrived in between. */
  private static final long LONGEST_GAP = Duration.ofSeconds(5).toNanos();

  private final Duration whileFetching;
  private final Duration longest;
  private boolean fetching;
  private long fetchingSince;
  private long lastAnswer;
  private long lastPoll;
  private boolean hasHadAnswer;
  private @Nullable Duration exceeded;

  /**
   * A silence that begins now, before any answer.
   *
   * @param whileFetching how long it may last while something is fetched
   * @param longest how long it may last in any case
   */
  Silence(Duration whileFetching, Duration longest, long now) {
    this.whileFetching = whileFetching;
    this.longest = longest;
    this.lastAnswer = now;
    this.lastPoll = now;
  }

  /**
   * The limit that is exceeded after a poll, if one is.
   *
   * @param answered whether there was an answer since the last poll
   * @param fetches whether there is a partition from which it fetches
   */
  Optional<Duration> polled(boolean answered, boolean fetches, long now) {
    if (fetches && !fetching) {
      fetchingSince = now;
    }
    fetching = fetches;
    if (answered) {
      hasHadAnswer = true;
      lastAnswer = now;
      exceeded = null;
    } else if (now - lastPoll > LONGEST_GAP) {
      lastAnswer = now;
    }
    lastPoll = now;
    if (exceeded == null) {
      exceeded = limit(now);
    }
    return Optional.ofNullable(exceeded);
  }

  private @Nullable Duration limit(long now) {
    long silent = now - lastAnswer;
    if (fetching && Math.min(silent, now - fetchingSince) >= whileFetching.toNanos()) {
      return whileFetching;
    }
    return silent >= longest.toNanos() ? longest : null;
  }

  /** Whether there has ever been an answer. */
  boolean hasHadAnswer() {
    return hasHadAnswer;
  }
}
