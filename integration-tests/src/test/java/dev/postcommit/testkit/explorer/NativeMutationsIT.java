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

/** Faults in the statements and tables of the native layout, each of which is found. */
@EnabledIfEnvironmentVariable(
    named = "POSTCOMMIT_TEST_ALL",
    matches = "true",
    disabledReason = "takes minutes; POSTCOMMIT_TEST_ALL=true runs it")
class NativeMutationsIT {
  private static final ClaimStories STORIES = new ClaimStories("native", Samples.NATIVE);
  private static final LeaseStories LEASES = new LeaseStories("native", Samples.NATIVE);

  static Stream<Mutation> mutations() {
    return Stream.of(
        Mutation.inTables(
            "native: numbers without a transaction id (dedupe wait)",
            LEASES::waiting,
            "ALTER TABLE postcommit_outbox DROP COLUMN xid"),
        Mutation.of(
            "native: claims of all namespaces expire (unscoped expiry)",
            LEASES::scopes,
            replaceIn("WITH expired", "\"?namespace\"? = \\?", "CAST(? AS text) IS NOT NULL")),
        Mutation.of(
            "native: each statement of a claim commits (split statement)",
            () -> STORIES.gate("postcommit_outbox_claim", "INSERT"),
            Mutation.split()),
        Mutation.inTables(
            "native: sessions cache numbers (sequence cache)",
            STORIES::sessions,
            "ALTER SEQUENCE postcommit_outbox_seq_seq CACHE 10"),
        Mutation.of(
            "native: the lock on the table is left out",
            () -> STORIES.gate("postcommit_outbox_claim", "INSERT"),
            replace("pg_advisory_xact_lock\\(1886352244,", "num_nonnulls(1886352244,")),
        Mutation.of(
            "native: busy keys are not passed over",
            STORIES::relays,
            replace("NOT IN \\(\\s+SELECT unnest\\(keys\\) FROM busy\\)", "IS NOT NULL")),
        Mutation.of(
            "native: claims expire before their time",
            STORIES::leases,
            replace("until < clock_timestamp\\(\\)", "until > clock_timestamp()")),
        Mutation.of(
            "native: a waiting event does not hold back its key",
            STORIES::retries,
            replace("num_nulls\\(\"due_at\"\\) = 0 AND earlier", "false AND earlier")),
        Mutation.of(
            "native: the floor is one too high",
            LEASES::floor,
            replace("CAST\\(\\? AS bigint\\) AS known", "CAST(? AS bigint) + 1 AS known")),
        Mutation.of(
            "native: > for >= at the floor",
            LEASES::floor,
            replace(
                "\"seq\" >= \\(SELECT floor FROM lowest\\)",
                "\"seq\" > (SELECT floor FROM lowest)")),
        Mutation.of(
            "native: relays are taken for gone whose session is there",
            LEASES::takeOver,
            replace("r\\.server_started_at = pg_postmaster_start_time\\(\\) AND", "true OR")),
        Mutation.of(
            "native: a taken-over event is given up at once",
            LEASES::refused,
            replace("FROM live WHERE owner = ", "FROM live WHERE false AND owner = ")));
  }

  @TestFactory
  Stream<DynamicTest> isFound() {
    return mutations().map(mutation -> dynamicTest(mutation.name(), mutation::isFound));
  }
}
