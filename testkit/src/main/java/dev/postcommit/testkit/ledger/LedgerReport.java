package dev.postcommit.testkit.ledger;

import java.util.List;

/**
 * What a {@link Ledger} shows.
 *
 * @param committed how many events are committed
 * @param delivered how many of the events that may be delivered were, each counted once
 * @param lost events that are committed and neither delivered nor dead
 * @param phantom events that were delivered or are dead and were never committed
 * @param outOfOrder events that first arrived after a later one of their key
 * @param duplicates how many deliveries were of an event that had been delivered before
 * @param dead how many events are dead
 * @param expectedDead how many events ought to be dead
 * @param unexpectedlyDead events that are dead and ought not to be
 * @param unexpectedlyAlive events that ought to be dead and are not
 * @param wrongKey events that arrived with a key other than their own
 * @param inDoubt how many events may or may not be committed
 */
public record LedgerReport(
    int committed,
    int delivered,
    Findings lost,
    Findings phantom,
    Findings outOfOrder,
    int duplicates,
    int dead,
    int expectedDead,
    Findings unexpectedlyDead,
    Findings unexpectedlyAlive,
    Findings wrongKey,
    int inDoubt) {

  /** Whether nothing is wrong. Duplicates are not: delivery is at least once. */
  public boolean clean() {
    return lost.none()
        && phantom.none()
        && outOfOrder.none()
        && unexpectedlyDead.none()
        && unexpectedlyAlive.none()
        && wrongKey.none();
  }

  /** One line with the counts, and the ids of events with which something is wrong. */
  @Override
  public String toString() {
    return "%d committed, %d delivered, %s lost, %s phantom, %s out of order, %d duplicates, %d dead (expected %d)"
            .formatted(
                committed, delivered, lost, phantom, outOfOrder, duplicates, dead, expectedDead)
        + unlessNone(unexpectedlyDead, "unexpectedly dead")
        + unlessNone(unexpectedlyAlive, "unexpectedly alive")
        + unlessNone(wrongKey, "with a wrong key")
        + (inDoubt == 0 ? "" : ", " + inDoubt + " in doubt");
  }

  private static String unlessNone(Findings findings, String what) {
    return findings.none() ? "" : ", " + findings + " " + what;
  }

  /**
   * Events with which the same thing is wrong.
   *
   * @param count how many there are
   * @param first the ids of the first few
   */
  public record Findings(int count, List<String> first) {

    /** Keeps a copy of the ids. */
    public Findings {
      first = List.copyOf(first);
    }

    /** Whether there are none. */
    public boolean none() {
      return count == 0;
    }

    /** The count, and the first ids if there are any. */
    @Override
    public String toString() {
      return none() ? "0" : count + " " + first;
    }
  }
}
