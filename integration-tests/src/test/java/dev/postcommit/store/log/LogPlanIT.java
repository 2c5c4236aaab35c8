package dev.postcommit.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.fixture.SentPlan;
import dev.postcommit.fixture.SentStatements;
import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.Samples;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How the rows of a log are found, whatever the statistics say. */
class LogPlanIT extends LayoutFixture {
  LogPlanIT() {
    super(Samples.LOG);
  }

  @Test
  @DisplayName("rows of a transaction that stays open are found by its id, not by a walk over all")
  void rowsOfAnOpenTransactionAreFoundByItsId() throws SQLException {
    write(5_000);
    execute("ANALYZE postcommit_log");
    String[] read;
    try (Connection open = dataSource().getConnection()) {
      open.setAutoCommit(false);
      open.createStatement().execute("SELECT pg_current_xact_id()");
      deliverAll(store());
      read = sentByAClaim();
      open.rollback();
    }
    assertThat(plan(read)).contains("Index Cond: (xid = ANY");
  }

  @Test
  @DisplayName("a page of a backlog that Postgres does not know of yet is read without the rest")
  void aPageIsReadInTheOrderOfTheIndex() throws SQLException {
    write(20_000);
    execute("ANALYZE postcommit_log");
    String[] last = new String[1];
    query("SELECT max(seq) - 10 FROM postcommit_log", value -> last[0] = value);

    assertThat(plan(sentByAClaim(), "0", "4096", last[0], "'1:1:'", "1000"))
        .contains("Index Cond: (seq > $")
        .doesNotContain("->  Sort", "Bitmap");
  }

  @Test
  @DisplayName("R40: that a key waits is looked up by the key, though all that waits is of one key")
  void thatAKeyWaitsIsLookedUpByTheKey() throws SQLException {
    execute(
        """
        INSERT INTO postcommit_log_diverted (id, topic, type, key, payload)
        SELECT gen_random_uuid(), 't', 't', 'hot', '\\x7b7d' FROM generate_series(1, 20000)""");
    execute("VACUUM (ANALYZE) postcommit_log_diverted");
    String[] sent = sentByAClaim();

    assertThat(plan(sent)).contains("Index Cond: (key ").doesNotContain("Seq Scan");
    try (Connection tx = dataSource().getConnection()) {
      assertThat(SentPlan.of(tx, "COSTS OFF", sent[1], "NULL", "ARRAY['other']"))
          .contains("Index Cond: (key ")
          .doesNotContain("Seq Scan");
    }
  }

  private void write(int rows) {
    execute(
        """
        INSERT INTO postcommit_log (id, topic, type, key, payload)
        SELECT gen_random_uuid(), 't', 't', 'k' || n, '\\x7b7d' FROM generate_series(1, %d) AS n"""
            .formatted(rows));
  }

  private void deliverAll(OutboxStore store) {
    for (Claim claim = store.claim(upTo(500)); !claim.isEmpty(); claim = store.claim(upTo(500))) {
      store.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
    }
    store.close();
  }

  /** What a claim sends to look and to read. */
  private String[] sentByAClaim() {
    List<String> statements = new ArrayList<>();
    OutboxStore store =
        OutboxStore.of(SentStatements.of(dataSource(), statements), layout(), UUID.randomUUID());
    store.claim(upTo(500));
    store.close();
    return statements.stream()
        .filter(sql -> sql.contains("postcommit.upto"))
        .findFirst()
        .orElseThrow()
        .split(Pattern.quote(";\n"));
  }

  /** The plan of what is read after a look, given the values of its first parameters. */
  private String plan(String[] sent, String... values) throws SQLException {
    try (Connection tx = dataSource().getConnection()) {
      tx.setAutoCommit(false);
      try (PreparedStatement look = tx.prepareStatement(sent[1])) {
        look.setString(1, null);
        look.setArray(2, tx.createArrayOf("text", new String[0]));
        look.execute();
      }
      String plan = SentPlan.of(tx, "COSTS OFF", sent[2], values);
      tx.rollback();
      return plan;
    }
  }
}
