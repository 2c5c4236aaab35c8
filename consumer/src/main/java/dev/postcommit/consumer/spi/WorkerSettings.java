package dev.postcommit.consumer.spi;

import java.time.Duration;

/**
 * How the workers of a consumer handle messages.
 *
 * @param threads how many threads handle messages
 * @param batchSize the most messages handled together
 * @param closeTimeout how long handlers may take to finish when the consumer is closed
 */
public record WorkerSettings(int threads, int batchSize, Duration closeTimeout) {

  /** Checks the settings. */
  public WorkerSettings {
    atLeastOne("threads", threads);
    atLeastOne("batchSize", batchSize);
    if (closeTimeout.isNegative()) {
      throw new IllegalArgumentException("closeTimeout must not be negative: " + closeTimeout);
    }
  }

  /**
   * Checks a number that must be positive.
   *
   * @throws IllegalArgumentException if it is not, with its name and value
   */
  public static void atLeastOne(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, not " + value);
    }
  }
}
