package dev.postcommit.examples.packfinderz;

import java.sql.SQLException;
import java.time.Duration;

/** Waits for what is to happen. */
final class Patience {
  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final Duration LOOK = Duration.ofMillis(20);

  /** Something that is so, or is not yet. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws SQLException;
  }

  private Patience() {}

  /**
   * Returns when {@code condition} holds.
   *
   * @param what what is waited for, for the message if it does not happen within two minutes
   */
  static void await(String what, Condition condition) throws SQLException, InterruptedException {
    long begin = System.nanoTime();
    while (!condition.holds()) {
      if (System.nanoTime() - begin > LONGEST.toNanos()) {
        throw new IllegalStateException(
            "%s: not so after %d s".formatted(what, LONGEST.toSeconds()));
      }
      Thread.sleep(LOOK.toMillis());
    }
  }
}
