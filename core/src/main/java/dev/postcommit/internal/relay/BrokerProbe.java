package dev.postcommit.internal.relay;

import dev.postcommit.internal.Backoff;
import dev.postcommit.internal.relay.health.Availability;
import dev.postcommit.internal.relay.health.Fatal;
import dev.postcommit.relay.Publisher;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * Asks the broker whether it can be used before anything is claimed: once at first, and after it
 * was lost until it answers. One thread at a time waits; any may report on the broker.
 */
final class BrokerProbe {
  private static final Duration FIRST_RETRY = Duration.ofMillis(100);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(2);

  /** How long a publisher that is {@linkplain #askAgain asked} may take to replace its client. */
  private static final Duration REPLACEMENT = Duration.ofSeconds(3);

  private final Publisher publisher;
  private final Availability broker;
  private final Lock handover;
  private final RetryWait retries;
  private final Backoff backoff = new Backoff(FIRST_RETRY, LONGEST_RETRY);
  private volatile boolean answered;
  private volatile @Nullable Long askedAt;

  BrokerProbe(RelayContext context, RetryWait retries) {
    this.publisher = context.publisher();
    this.broker = context.broker();
    this.handover = context.handover().writeLock();
    this.retries = retries;
  }

  /** The broker took something: if it is lost again, that is another outage. */
  void accepted() {
    backoff.reset();
  }

  /** Asks the broker again before the next claim, as a publisher may need that to go on. */
  void askAgain() {
    askedAt = System.nanoTime();
    answered = false;
  }

  /** Waits until the broker answers, if it was lost or was never asked; false once stopped. */
  boolean await() throws InterruptedException {
    while (!retries.isStopped()) {
      if (!broker.isAvailable()) {
        // A broker that answers and takes nothing is given more and more time.
        retries.sleep(backoff.nextNanos());
      } else if (answered) {
        return true;
      }
      Optional<String> problem = problem();
      if (problem.isEmpty()) {
        answered = true;
        broker.regained();
        return true;
      }
      if (isBeingReplaced()) {
        retries.sleep(FIRST_RETRY.toNanos());
      } else {
        broker.stillLost(problem.get());
      }
    }
    return false;
  }

  /** Whether the broker takes messages, and its publisher is just replacing what it sends with. */
  private boolean isBeingReplaced() {
    @Nullable Long asked = askedAt;
    return broker.isAvailable()
        && asked != null
        && System.nanoTime() - asked < REPLACEMENT.toNanos();
  }

  private Optional<String> problem() throws InterruptedException {
    retries.attempt();
    handover.lockInterruptibly();
    try {
      return publisher.problem();
    } catch (RuntimeException | Error e) {
      Fatal.rethrow(e);
      return Optional.of(String.valueOf(e));
    } finally {
      handover.unlock();
    }
  }
}
