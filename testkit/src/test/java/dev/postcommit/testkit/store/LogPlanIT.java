package dev.postcommit.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.Samples;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
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

  private String plan(String read) {
    AtomicInteger parameter = new AtomicInteger();
    String text =
        Pattern.compile("\\?")
            .matcher(read)
            .replaceAll(match -> "\\$" + parameter.incrementAndGet());
    String nulls = String.join(", ", Collections.nCopies(parameter.get(), "NULL"));
    StringBuilder plan = new StringBuilder();
    transaction(
        tx -> {
          try (Statement statement = tx.createStatement()) {
            statement.execute("SET LOCAL enable_seqscan = off");
            statement.execute("SET LOCAL plan_cache_mode = force_generic_plan");
            statement.execute("PREPARE read AS " + text);
            try (ResultSet rows =
                statement.executeQuery("EXPLAIN (COSTS OFF) EXECUTE read(" + nulls + ")")) {
              while (rows.next()) {
                plan.append(rows.getString(1)).append('\n');
              }
            }
            statement.execute("DEALLOCATE read");
          }
        });
    return plan.toString();
  }
}
