package dev.postcommit.kafka.consumer;

/**
 * Tells answers from what a broker says before it hangs up.
 *
 * <p>The first response on each connection lists the versions of the protocol. A broker gives it
 * even to a client that does not log in where it must, and hangs up at the next request; the client
 * connects again and again. So a response counts from the second on a connection, as far as the
 * sums show it.
 */
final class AnswerCount {
  private double counted;

  /**
   * Whether there was an answer since the last call.
   *
   * @param responses how many responses there were in all
   * @param connections how many connections were made in all
   */
  boolean hasGrown(double responses, double connections) {
    double now = responses - connections;
    // One more may be the first response on a connection that was made before the last call.
    boolean grown = now > counted + 1;
    counted = grown ? now : Math.min(counted, now);
    return grown;
  }
}
