package dev.postcommit.testkit.explorer.inbox;

import dev.postcommit.testkit.explorer.scenario.Scenario;
import java.util.List;
import java.util.stream.Stream;

/** Scenarios of consumers whose marks are in Postgres. */
public final class InboxScenarios {
  private static final String FIRST = "consumer-1";
  private static final String SECOND = "consumer-2";

  private InboxScenarios() {}

  /** All of them, the small ones first. */
  public static List<Scenario> all() {
    return Stream.concat(small().stream(), large().stream()).toList();
  }

  /** Scenarios of which all schedules can be played. */
  public static List<Scenario> small() {
    return Stream.of(
            two(InboxScenario.transactional("inbox")),
            two(InboxScenario.transactional("inbox-crash")).kill(FIRST),
            two(InboxScenario.transactional("inbox-cut-off")).cutOff(FIRST),
            two(InboxScenario.transactional("inbox-failure")).fails("a", 1),
            two(InboxScenario.transactional("inbox-lost-reply")).losesReply(FIRST),
            two(InboxScenario.transactional("inbox-late-commit")).late(FIRST),
            two(InboxScenario.marking("marks")),
            two(InboxScenario.markingFirst("first-marks")))
        .<Scenario>map(InboxScenario.Builder::build)
        .toList();
  }

  /** Scenarios for random schedules. */
  public static List<Scenario> large() {
    return Stream.of(
            topic(InboxScenario.transactional("inbox-topic"))
                .fails("a", 1)
                .kill(FIRST)
                .cutOff(SECOND)
                .losesReply(SECOND)
                .prune("pruner"),
            leases("marks-leases"),
            pruned(InboxScenario.marking("marks-pruned")),
            lostReply(InboxScenario.marking("marks-lost-reply")).cutOff(SECOND),
            lateCommit(InboxScenario.markingFirst("first-marks-late-commit")),
            topic(InboxScenario.marking("marks-topic"))
                .fails("b", 1)
                .kill(FIRST)
                .losesReply(SECOND)
                .timePasses()
                .prune("pruner"),
            lostReply(InboxScenario.markingFirst("first-marks-lost-reply")))
        .<Scenario>map(InboxScenario.Builder::build)
        .toList();
  }

  /** Two consumers are given the same event. */
  public static InboxScenario.Builder two(InboxScenario.Builder scenario) {
    return scenario.sent("a").consumer(FIRST, 1).consumer(SECOND, 1);
  }

  /** Two relays send the same events in different orders, to consumers that take two at a time. */
  public static InboxScenario.Builder topic(InboxScenario.Builder scenario) {
    return scenario
        .producer("relay-1", "a", "b")
        .producer("relay-2", "b", "a")
        .consumer(FIRST, 2)
        .consumer(SECOND, 2)
        .batch(2);
  }

  /** One consumer is not told what became of a request, and its handler fails at first. */
  public static InboxScenario.Builder lostReply(InboxScenario.Builder scenario) {
    return two(scenario).fails("a", 1).losesReply(FIRST);
  }

  /** A commit that one consumer has given up takes place later. */
  public static InboxScenario.Builder lateCommit(InboxScenario.Builder scenario) {
    return two(scenario).fails("a", 1).late(FIRST);
  }

  /** Leases end, and what is left of them is pruned. */
  public static InboxScenario.Builder pruned(InboxScenario.Builder scenario) {
    return two(scenario).timePasses().prune("pruner");
  }

  /** Three consumers, one of which fails at first, and leases that end while they handle. */
  public static InboxScenario.Builder leases(String name) {
    return two(InboxScenario.marking(name)).consumer("consumer-3", 1).fails("a", 1).timePasses();
  }
}
