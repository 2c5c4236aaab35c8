package dev.postcommit.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Outbox;
import dev.postcommit.fixture.RestrictedUsers;
import dev.postcommit.fixture.TableShape;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.testkit.contract.Samples;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The partitions of a log, which only its owner may make and drop. */
class LogOwnershipIT {
  private static final Duration MONTH = Duration.ofDays(30);

  private final RestrictedUsers users = new RestrictedUsers(Samples.LOG);
  private final String owner = users.relay().replace("relay", "owner");

  LogOwnershipIT() throws SQLException {}

  @BeforeEach
  void giveToAnOwner() throws SQLException {
    users.execute(
        "CREATE ROLE " + owner,
        "GRANT CREATE ON SCHEMA public TO " + owner,
        "ALTER TABLE postcommit_log OWNER TO " + owner,
        "ALTER TABLE postcommit_log_0 OWNER TO " + owner,
        "ALTER TABLE postcommit_log_rest OWNER TO " + owner,
        "SELECT setval('postcommit_log_seq', 6000000)");
  }

  @AfterEach
  void close() throws SQLException {
    users.execute("DROP OWNED BY " + owner + " CASCADE", "DROP ROLE " + owner);
    users.close();
  }

  private void writeAndDeliver(OutboxStore store) throws SQLException {
    try (Connection tx = users.login(users.writer()).getConnection()) {
      tx.setAutoCommit(false);
      Outbox.builder(users.layout())
          .build()
          .enqueue(tx, Samples.LOG.event().apply("a").json("1").build());
      tx.commit();
    }
    Claim claim = store.claim(ClaimRequest.of(10, Duration.ofMinutes(1), 3));
    assertThat(claim.events()).hasSize(1);
    store.settle(claim, List.of(new Outcome.Delivered(claim.events().get(0).id())));
  }

  private List<String> partitions() throws SQLException {
    return TableShape.list(
        users.owner(),
        """
        SELECT inhrelid::regclass || ' of ' || pg_get_userbyid(relowner) FROM pg_inherits
        JOIN pg_class c ON c.oid = inhrelid WHERE inhparent = 'postcommit_log'::regclass ORDER BY 1""");
  }

  private List<String> rows() throws SQLException {
    return TableShape.list(users.owner(), "SELECT seq FROM postcommit_log");
  }

  @Test
  @DisplayName("R46: a relay that is not an owner delivers, and deletes old rows one by one")
  void withoutOwnership() throws SQLException {
    try (OutboxStore store =
        OutboxStore.of(users.login(users.relay()), users.layout(), UUID.randomUUID())) {
      writeAndDeliver(store);
      writeAndDeliver(store);
    }
    assertThat(partitions())
        .containsExactly("postcommit_log_0 of " + owner, "postcommit_log_rest of " + owner);
    users.execute("UPDATE postcommit_log SET created_at = now() - interval '40 days'");

    OutboxAdmin admin = OutboxAdmin.of(users.login(users.relay()), users.layout());
    assertThat(admin.prune(MONTH, 10)).isEqualTo(2);
    assertThat(rows()).isEmpty();
  }

  @Test
  @DisplayName("R46: a relay that is a member of the owner makes partitions for it, and drops them")
  void asAMemberOfTheOwner() throws SQLException {
    users.execute("GRANT %s TO %s".formatted(owner, users.relay()));
    try (OutboxStore store =
        OutboxStore.of(users.login(users.relay()), users.layout(), UUID.randomUUID())) {
      writeAndDeliver(store);
      writeAndDeliver(store);
      // The store makes it in a thread of its own.
      await()
          .untilAsserted(() -> assertThat(partitions()).contains("postcommit_log_1 of " + owner));
      users.execute("SELECT setval('postcommit_log_seq', 10000001)");
      writeAndDeliver(store);
      writeAndDeliver(store);
    }
    users.execute("UPDATE postcommit_log_0 SET created_at = now() - interval '40 days'");

    OutboxAdmin admin = OutboxAdmin.of(users.login(users.relay()), users.layout());
    assertThat(admin.prune(MONTH, 10)).isEqualTo(2);
    assertThat(partitions()).noneMatch(partition -> partition.startsWith("postcommit_log_0 "));
    assertThat(rows()).hasSize(2);
  }
}
