package dev.postcommit.store.leased;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.Samples;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A claim of leased rows that waits for another relay's while events are written. */
class WaitingClaimOrderIT extends LayoutFixture {

  WaitingClaimOrderIT() {
    super(Samples.MODKIT);
  }

  @Test
  @DisplayName("R40: events written while a claim waits for its lock are delivered in order")
  void eventsWrittenWhileAClaimWaitsKeepTheirOrder() throws SQLException {
    OutboxStore store = store();
    store.claim(upTo(10));
    try (Connection early = dataSource().getConnection();
        Connection lock = dataSource().getConnection()) {
      early.setAutoCommit(false);
      lock.setAutoCommit(false);
      run(early, "SELECT 1");
      run(
          lock,
          "SELECT pg_advisory_xact_lock(1886352244, CAST(CAST(CAST('%s' AS regclass) AS oid) AS int))"
              .formatted(layout().table().sql()));
      CompletableFuture<Claim> claim = CompletableFuture.supplyAsync(() -> store.claim(upTo(10)));
      awaitUntil(this::isClaimWaiting);
      String first = enqueue("a", 1).get(0);
      String second = outbox().enqueue(early, small("a")).id().toString();
      early.commit();
      lock.rollback();

      assertThat(ids(claim.join())).containsExactly(first, second);
    }
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private boolean isClaimWaiting() {
    List<String> waits = new ArrayList<>();
    query(
        """
        SELECT pid FROM pg_stat_activity
        WHERE wait_event = 'advisory' AND datname = current_database()""",
        waits::add);
    return !waits.isEmpty();
  }
}
