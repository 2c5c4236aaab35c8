package dev.postcommit.testkit.explorer;

import static dev.postcommit.testkit.explorer.Mutation.replace;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.explorer.outbox.ClaimStories;
import dev.postcommit.testkit.explorer.outbox.HeldScenarios;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Faults in the statements of held tables, each of which is found. */
@EnabledIfEnvironmentVariable(
    named = "POSTCOMMIT_TEST_ALL",
    matches = "true",
    disabledReason = "takes minutes; POSTCOMMIT_TEST_ALL=true runs it")
class HeldMutationsIT {
  private static final ClaimStories LOGISTIK = new ClaimStories("logistik", Samples.LOGISTIK);
  private static final ClaimStories PACKFINDERZ =
      new ClaimStories("packfinderz", Samples.PACKFINDERZ);
  private static final ClaimStories POLYSHOP = new ClaimStories("polyshop", Samples.POLYSHOP);

  static Stream<Mutation> mutations() {
    return Stream.of(
        Mutation.of(
            "held: rows are not locked",
            HeldScenarios::namespace,
            replace("FOR UPDATE OF t SKIP LOCKED", "")),
        Mutation.of(
            "held: it is not asked whether a locked row is still due",
            HeldScenarios::namespace,
            replace("THEN 1 ELSE 0 END = 1", "THEN 1 ELSE 0 END >= 0")),
        Mutation.of(
            "logistik: the last first",
            LOGISTIK::writers,
            replace("ORDER BY t.\"occurred_at\", t.\"id\"", "ORDER BY t.\"occurred_at\" DESC")),
        Mutation.of(
            "logistik: a waiting event does not hold back its key",
            LOGISTIK::retries,
            replace("t.\"next_attempt_at\" > statement_timestamp\\(\\) AND", "false AND")),
        Mutation.of(
            "packfinderz: a waiting event does not hold back its key",
            PACKFINDERZ::retries,
            replace("f.due_at > statement_timestamp\\(\\) AND f.key IS NOT NULL", "false")),
        Mutation.of(
            "polyshop: a dead event is taken back",
            POLYSHOP::dead,
            replace("f.dead_at IS NOT NULL OR ", "")));
  }

  @TestFactory
  Stream<DynamicTest> isFound() {
    return mutations().map(mutation -> dynamicTest(mutation.name(), mutation::isFound));
  }
}
