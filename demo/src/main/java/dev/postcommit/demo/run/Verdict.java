package dev.postcommit.demo.run;

import dev.postcommit.testkit.ledger.LedgerReport;
import dev.postcommit.testkit.ledger.LedgerReport.Findings;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of a demo.
 *
 * @param report the result of the ledger
 * @param wrong descriptions of other failures
 */
public record Verdict(LedgerReport report, List<String> wrong) {

  /** Keeps a copy of the list. */
  public Verdict {
    wrong = List.copyOf(wrong);
  }

  /**
   * Returns whether nothing is lost, phantom or out of order, and only poisonous events are dead.
   */
  public boolean holds() {
    return report.clean()
        && wrong.isEmpty()
        && report.inDoubt() == 0
        && report.delivered() == expected();
  }

  /** Returns the number of committed events, except those expected to be dead. */
  private int expected() {
    return report.committed() - report.expectedDead();
  }

  /** Returns the verdict in one line, which names the first events of each failure. */
  String line() {
    String counts =
        "%d committed, %d delivered, %d lost, %d phantom, %d out of order, %d duplicates, %d dead (expected %d)"
            .formatted(
                expected(),
                report.delivered(),
                report.lost().count(),
                report.phantom().count(),
                report.outOfOrder().count(),
                report.duplicates(),
                report.dead(),
                report.expectedDead());
    return holds() ? "verified: " + counts : "FAILED: " + counts + details();
  }

  private String details() {
    List<String> details = new ArrayList<>();
    add(details, "lost", report.lost());
    add(details, "phantom", report.phantom());
    add(details, "out of order", report.outOfOrder());
    add(details, "dead and should not be", report.unexpectedlyDead());
    add(details, "not dead and should be", report.unexpectedlyAlive());
    add(details, "with a wrong key", report.wrongKey());
    details.addAll(wrong);
    return details.isEmpty() ? "" : "; " + String.join("; ", details);
  }

  private static void add(List<String> details, String what, Findings findings) {
    if (!findings.none()) {
      details.add(what + ": " + String.join(" ", findings.first()));
    }
  }
}
