package dev.postcommit.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.Samples;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a log's relay reads while some transaction stays open. */
class LogPlanIT extends LayoutFixture {
  LogPlanIT() {
    super(Samples.LOG);
  }

  @Test
  @DisplayName("rows of a transaction that stays open are found by its id, not by a walk over all")
  void rowsOfAnOpenTransactionAreFoundByItsId() throws SQLException {
    execute(
        """
        INSERT INTO postcommit_log (id, topic, type, key, payload)
        SELECT gen_random_uuid(), 't', 't', 'k' || n, '\\x7b7d' FROM generate_series(1, 5000) AS n""");
    execute("ANALYZE postcommit_log");
    List<String> statements = new ArrayList<>();
    try (Connection open = dataSource().getConnection()) {
      open.setAutoCommit(false);
      open.createStatement().execute("SELECT pg_current_xact_id()");
      deliverAll(store());
      OutboxStore.of(SentStatements.of(dataSource(), statements), layout(), UUID.randomUUID())
          .claim(upTo(500));
      open.rollback();
    }
    String read =
        statements.stream().filter(sql -> sql.contains("xid8[]")).findFirst().orElseThrow();

    assertThat(plan(read.substring(read.indexOf(";\n") + 2))).contains("Index Cond: (xid = ANY");
  }

  private void deliverAll(OutboxStore store) {
    for (Claim claim = store.claim(upTo(500)); !claim.isEmpty(); claim = store.claim(upTo(500))) {
      store.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
    }
    store.close();
  }

  private String plan(String read) throws SQLException {
    try (Connection tx = dataSource().getConnection()) {
      tx.setAutoCommit(false);
      tx.createStatement().execute("SET LOCAL enable_seqscan = off");
      String plan = GenericPlan.of(tx, "COSTS OFF", read);
      tx.rollback();
      return plan;
    }
  }
}
