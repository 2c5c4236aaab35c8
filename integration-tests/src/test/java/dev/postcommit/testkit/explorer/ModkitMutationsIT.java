package dev.postcommit.testkit.explorer;

import static dev.postcommit.testkit.explorer.Mutation.replace;
import static dev.postcommit.testkit.explorer.Mutation.replaceIn;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.explorer.outbox.ClaimStories;
import dev.postcommit.testkit.explorer.outbox.LeaseStories;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Faults in the statements of the modkit layout, each of which is found. */
@EnabledIfEnvironmentVariable(
    named = "POSTCOMMIT_TEST_ALL",
    matches = "true",
    disabledReason = "takes minutes; POSTCOMMIT_TEST_ALL=true runs it")
class ModkitMutationsIT {
  private static final ClaimStories STORIES = new ClaimStories("modkit", Samples.MODKIT);
  private static final LeaseStories LEASES = new LeaseStories("modkit", Samples.MODKIT);

  private static final String HOLDER =
      "\"modkit_outbox_events\"\\.\"locked_by\" = CAST\\(\\? AS ([^)]+)\\)";

  static Stream<Mutation> mutations() {
    return Stream.of(
        Mutation.of(
            "modkit: leases of all namespaces expire (unscoped expiry)",
            LEASES::scopes,
            replaceIn(
                "UPDATE \"modkit_outbox_events\" SET\n  \"status\" = CASE",
                "\"namespace\" = \\?",
                "CAST(? AS text) IS NOT NULL")),
        Mutation.of(
            "modkit: each statement of a claim commits (split statement)",
            () -> STORIES.gate("modkit_outbox_events", "UPDATE"),
            Mutation.split()),
        Mutation.of(
            "modkit: what is due is asked by the time of the transaction",
            STORIES::begun,
            replace("\\(SELECT at FROM moment\\)", "now()")),
        Mutation.of(
            "modkit: a settlement does not ask who has the lease",
            LEASES::settlementAfterReplay,
            replace(HOLDER, "CAST(? AS $1) IS NOT NULL")),
        Mutation.of(
            "modkit: a settlement does not ask for the number of the lease",
            LEASES::settlementOfOwnLease,
            replace("= o\\.lease", ">= 0")),
        Mutation.of(
            "modkit: a settlement asks neither for holder, attempt nor number",
            LEASES::lateSettlement,
            replace(
                        HOLDER + " AND \"modkit_outbox_events\"\\.\"attempts\" = o\\.attempt",
                        "CAST(? AS $1) IS NOT NULL")
                    .andThen(replace("= o\\.lease", ">= 0"))
                ::apply),
        Mutation.of(
            "modkit: busy keys are not passed over",
            STORIES::relays,
            replace("NOT IN \\(SELECT key FROM busy\\)", "IS NOT NULL")),
        Mutation.of(
            "modkit: a waiting event does not hold back its key",
            STORIES::retries,
            replace(
                "earlier\\.\"next_attempt_at\" > ", "false AND earlier.\"next_attempt_at\" > ")),
        Mutation.of(
            "modkit: the last first",
            STORIES::writers,
            replace("ORDER BY \"created_at\", \"id\" LIMIT", "ORDER BY \"created_at\" DESC LIMIT")),
        Mutation.of(
            "modkit: a taken-over event is given up at once",
            LEASES::refused,
            replace("max\\(undecided_until\\)", "min(timestamptz 'epoch')")));
  }

  @TestFactory
  Stream<DynamicTest> isFound() {
    return mutations().map(mutation -> dynamicTest(mutation.name(), mutation::isFound));
  }
}
