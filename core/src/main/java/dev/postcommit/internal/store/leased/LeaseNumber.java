package dev.postcommit.internal.store.leased;

import java.time.Duration;

/**
 * The number of a lease, which is the last four digits of the microsecond at which the lease ends.
 *
 * <p>A settlement or renewal must not touch a row unless the row still has the lease that the
 * statement is about. The holder tells the leases of two relays apart. The attempt does not tell
 * two leases of one relay apart: giving an event back takes its attempt away, and an operator's
 * replay sets attempts to 0. So the same relay may lease an event twice for the same attempt, and a
 * statement of the first lease may arrive when the row has the second:
 *
 * <ul>
 *   <li>The relay gives an event back, the reply is lost, and it claims the event again before it
 *       repeats the settlement.
 *   <li>A settlement or renewal is on its way when the lease ends. Another relay gives the event
 *       up, an operator replays it, the first relay claims it again, and then the statement
 *       arrives.
 * </ul>
 *
 * <p>In both cases the statement would end a lease that a batch in progress relies on, and the
 * event would be in two live claims. The number prevents that. It belongs to the claim, so the
 * store knows it from the start and nothing has to be read back. A renewal moves the end of the
 * lease and keeps the number, so it does not matter whether the reply to a renewal arrives, or how
 * often it is repeated. No clock is compared with another, so it does not matter how clocks are
 * set. Two leases of one relay have the same number only if it polled a multiple of 10,000 times in
 * between.
 */
final class LeaseNumber {
  private static final int NUMBERS = 10_000;

  /** The number of the lease that a row has. */
  static final String OF_ROW =
      "mod(CAST(extract(microseconds FROM {table}.{locked_until}) AS bigint), " + NUMBERS + ")";

  /**
   * When a lease ends that begins now; {@link #microseconds} says what {@code :lease_micros} is. At
   * most 20 milliseconds later than asked for.
   */
  static final String END =
      "date_bin('10 ms', clock_timestamp(), timestamptz 'epoch') + :lease_micros * interval '1 microsecond'";

  private LeaseNumber() {}

  /** The number of the leases of a claim. */
  static long of(long claim) {
    return claim % NUMBERS;
  }

  /** From the beginning of the current 10 milliseconds to the end of a lease with this number. */
  static long microseconds(Duration lease, long number) {
    long periods = lease.toNanos() / 1_000 / NUMBERS + 2;
    return periods * NUMBERS + number;
  }
}
