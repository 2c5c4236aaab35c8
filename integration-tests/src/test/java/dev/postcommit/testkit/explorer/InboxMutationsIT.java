package dev.postcommit.testkit.explorer;

import dev.postcommit.testkit.explorer.inbox.InboxScenario;
import dev.postcommit.testkit.explorer.inbox.InboxScenarios;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The explorer finds faults of marks in Postgres by itself. */
@EnabledIfEnvironmentVariable(named = "POSTCOMMIT_TEST_ALL", matches = "true")
class InboxMutationsIT {

  /** Finds a fault that is another text in place of a part of the statements. */
  private static void assertIsFound(
      String fault, Supplier<InboxScenario.Builder> scenario, String part, String other)
      throws SQLException {
    InboxMutations.assertIsFound(
        fault,
        scenario.get().mutation(sql -> sql.replace(part, other)).build(),
        scenario.get().build());
  }

  @Test
  void aMarkWhoseReplyWasLostIsTakenForAnothers() throws SQLException {
    assertIsFound(
        "late mark reply, Postgres",
        () -> InboxScenarios.two(InboxScenario.markingFirst("m")).losesReply("consumer-1"),
        "p.xmin = ANY (CAST(CAST(? AS text[]) AS xid[]))",
        "CAST(? AS text[]) IS NULL");
  }

  @Test
  void aBeginWhoseReplyWasLostIsTakenForAnothers() throws SQLException {
    assertIsFound(
        "late begin reply, Postgres",
        () -> InboxScenarios.two(InboxScenario.marking("m")).losesReply("consumer-1"),
        "c.until < clock_timestamp() OR c.token = excluded.token",
        "c.until < clock_timestamp()");
  }

  @Test
  void aMarkIsTakenBackWhoeverSetIt() throws SQLException {
    Supplier<InboxScenario.Builder> scenario =
        () -> InboxScenarios.lostReply(InboxScenario.markingFirst("m"));
    InboxMutations.assertIsFoundInOrder(
        "unmark without the owner, Postgres",
        scenario
            .get()
            .mutation(
                sql ->
                    sql.replace(
                        "AND xmin = CAST(CAST(? AS text) AS xid)",
                        "AND CAST(? AS text) IS NOT NULL"))
            .build(),
        scenario.get().build());
  }

  @Test
  void theMarkIsInAnotherTransactionThanTheEffect() throws SQLException {
    Supplier<InboxScenario.Builder> scenario =
        () -> InboxScenarios.two(InboxScenario.transactional("m")).kill("consumer-1");
    InboxMutations.assertIsFound(
        "mark in a transaction of its own",
        scenario.get().transactions(SeparateMarks::of).build(),
        scenario.get().build());
  }

  @Test
  void aMarkThatIsThereIsNoticedByNobody() throws SQLException {
    assertIsFound(
        "conflict of marks ignored",
        () -> InboxScenarios.two(InboxScenario.transactional("m")),
        "DO NOTHING\nRETURNING",
        "DO UPDATE SET processed_at = excluded.processed_at\nRETURNING");
  }

  @Test
  void freshMarksArePruned() throws SQLException {
    assertIsFound(
        "prune with > for <",
        () -> InboxScenarios.two(InboxScenario.transactional("m")).prune("pruner"),
        "WHERE processed_at < now()",
        "WHERE processed_at > now()");
  }

  @Test
  void aLeaseThatLastsIsTakenOver() throws SQLException {
    assertIsFound(
        "lease check with > for <",
        () -> InboxScenarios.two(InboxScenario.marking("m")),
        "c.until < clock_timestamp() OR c.token = excluded.token",
        "c.until > clock_timestamp() OR c.token = excluded.token");
  }

  @Test
  void beginDoesNotLookAgain() throws SQLException {
    Supplier<InboxScenario.Builder> scenario =
        () -> InboxScenarios.pruned(InboxScenario.marking("m"));
    InboxMutations.assertIsFound(
        "begin without a second look",
        scenario
            .get()
            .mutation(
                sql ->
                    sql.replace(
                            "AND p.event_id = CAST(c.event_id AS uuid)",
                            "AND p.event_id = CAST(c.event_id AS uuid) AND false")
                        .replace(
                            "WHERE event_id = ANY (CAST(? AS uuid[]))",
                            """
                            WHERE event_id = ANY (CAST(? AS uuid[])) AND CAST(event_id AS text)
                              NOT IN (SELECT event_id FROM processed_events_claim)"""))
            .build(),
        scenario.get().build());
  }

  @Test
  void anEventIsCompletedWhoeverHandlesIt() throws SQLException {
    assertIsFound(
        "complete without the owner, Postgres",
        () -> InboxScenarios.leases("m"),
        "WHERE event_id = ? AND token = CAST(? AS uuid)\n  RETURNING",
        "WHERE event_id = ? AND CAST(? AS uuid) IS NOT NULL\n  RETURNING");
  }

  @Test
  void anEventIsAbandonedWhoeverHandlesIt() throws SQLException {
    assertIsFound(
        "abandon without the owner, Postgres",
        () -> InboxScenarios.leases("m"),
        "ON c.event_id = i.id AND c.token = i.token\n  ORDER BY",
        "ON c.event_id = i.id\n  ORDER BY");
  }
}
