package dev.postcommit.testkit.explorer;

import dev.postcommit.testkit.explorer.inbox.InboxScenario;
import dev.postcommit.testkit.explorer.inbox.InboxScenarios;
import io.lettuce.core.SetArgs;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The explorer finds faults of marks in Redis by itself. */
@EnabledIfEnvironmentVariable(named = "POSTCOMMIT_TEST_ALL", matches = "true")
class RedisMutationsIT {

  private static void assertIsFound(
      String fault, Supplier<InboxScenario.Builder> scenario, RedisMutation mutation)
      throws SQLException {
    InboxMutations.assertIsFound(
        fault,
        scenario.get().stores(new RedisInboxStores(mutation)).build(),
        scenario.get().build());
  }

  @Test
  void aMarkWhoseReplyWasLostIsTakenForAnothers() throws SQLException {
    assertIsFound(
        "late mark reply, Redis",
        () -> InboxScenarios.two(RedisScenarios.markingFirst("m")).losesReply("consumer-1"),
        new RedisMutation(
            RedisMutation.NONE.script(), RedisMutation.NONE.set(), value -> "another's"));
  }

  @Test
  void aBeginWhoseReplyWasLostIsTakenForAnothers() throws SQLException {
    assertIsFound(
        "late begin reply, Redis",
        () -> InboxScenarios.two(RedisScenarios.marking("m")).losesReply("consumer-1"),
        RedisMutation.replacing("value == mark", "false"));
  }

  @Test
  void aMarkIsTakenBackWhoeverSetIt() throws SQLException {
    assertIsFound(
        "unmark without the owner, Redis",
        () -> InboxScenarios.lostReply(RedisScenarios.markingFirst("m")),
        RedisMutation.replacing("if redis.call('GET', key) == ARGV[1] then", "if true then"));
  }

  @Test
  void aMarkIsSetWhateverIsThere() throws SQLException {
    assertIsFound(
        "SET without NX",
        () -> InboxScenarios.two(RedisScenarios.markingFirst("m")),
        new RedisMutation(
            RedisMutation.NONE.script(),
            unlessThere -> SetArgs.Builder.ex(60),
            RedisMutation.NONE.got()));
  }

  @Test
  void anEventIsBegunWhoeverHandlesIt() throws SQLException {
    assertIsFound(
        "begin without NX",
        () -> InboxScenarios.two(RedisScenarios.marking("m")),
        RedisMutation.replacing("'NX', 'PX'", "'PX'"));
  }

  @Test
  void aMarkInProgressNeverExpires() throws SQLException {
    assertIsFound(
        "begin without expiry",
        () -> RedisScenarios.crash("m"),
        RedisMutation.replacing("'NX', 'PX', ARGV[1]", "'NX'"));
  }

  @Test
  void anEventIsCompletedWhoeverHandlesIt() throws SQLException {
    assertIsFound(
        "complete without the owner, Redis",
        () -> RedisScenarios.leases("m"),
        RedisMutation.replacing("not value or value == ARGV[1] or value == ARGV[2]", "true"));
  }

  @Test
  void aCompletedMarkExpiresWithTheLease() throws SQLException {
    assertIsFound(
        "complete with the time of the lease",
        () -> RedisScenarios.leases("m"),
        RedisMutation.replacing("'EX', ARGV[3]", "'KEEPTTL'"));
  }

  @Test
  void anEventIsAbandonedWhoeverHandlesIt() throws SQLException {
    assertIsFound(
        "abandon without the owner, Redis",
        () -> RedisScenarios.leases("m"),
        RedisMutation.replacing("if redis.call('GET', key) == ARGV[1] then", "if true then"));
  }
}
