package dev.postcommit.examples.polyshop.audit;

import java.util.ArrayList;
import java.util.List;

/** Compares what customers did with what databases and topics hold. */
public final class Audit {
  private Audit() {}

  /** What is not as it must be, in words; empty if all is well. */
  public static List<String> findings(Plan plan, Snapshot snapshot) {
    List<String> findings = new ArrayList<>();
    new OrderAudit(plan, snapshot).run(findings);
    new TopicAudit(snapshot).run(findings);
    new TraceAudit(plan, snapshot).run(findings);
    new LetterAudit(plan, snapshot).run(findings);
    return findings;
  }
}
