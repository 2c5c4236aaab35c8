package dev.postcommit.store.claimed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.fixture.SentPlan;
import dev.postcommit.fixture.SentStatements;
import dev.postcommit.store.Claim;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.Samples;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What a table's past costs a claim: a million delivered rows, or five with {@code
 * -Dlarge.rows=5000000}, and statistics of a time when there were many claims.
 */
class LargeTableIT extends LayoutFixture {
  private static final int DELIVERED = Integer.getInteger("large.rows", 1_000_000);
  private static final int CLAIMS = 60;
  private static final int BATCH = 50;
  private static final Pattern HASHED = Pattern.compile("SubPlan \\d+\\n.* rows=(\\d+) ");

  LargeTableIT() {
    super(Samples.NATIVE);
  }

  @Test
  @DisplayName(
      "a claim has the same plan and the same cost with a million delivered rows as with none")
  void deliveredRowsCostAClaimNothing() throws SQLException {
    execute("ANALYZE postcommit_outbox");
    String emptyPlan = planOfClaim("COSTS OFF");
    double emptyMicros = claimMicros();

    execute(
        """
        INSERT INTO postcommit_outbox (id, topic, type, key, payload, status, attempts, delivered_at)
        SELECT gen_random_uuid(), 't', 't', (n %% 1000)::text, '\\x7b7d', 'delivered', 1, now()
        FROM generate_series(1, %d) AS n"""
            .formatted(DELIVERED));
    execute("VACUUM ANALYZE postcommit_outbox");
    String fullPlan = planOfClaim("COSTS OFF");
    double fullMicros = claimMicros();

    assertThat(fullPlan)
        .isEqualTo(emptyPlan)
        .contains("postcommit_outbox_ready", "postcommit_outbox_timed", "postcommit_outbox_tried")
        .doesNotContain("Seq Scan on postcommit_outbox");
    assertThat(fullMicros)
        .as("a claim: %.0f us full, %.0f us empty", fullMicros, emptyMicros)
        .isLessThan(Math.max(emptyMicros * 2, 3_000));
  }

  @Test
  @DisplayName("statistics taken in a burst do not make Postgres prepare for as many claims again")
  void claimsThatAreGoneCostAClaimNothing() throws SQLException {
    execute(
        """
        INSERT INTO postcommit_outbox_claim (owner, until, ids, keys)
        SELECT gen_random_uuid(), now() + interval '1 hour',
          ARRAY(SELECT gen_random_uuid() FROM generate_series(1, 500)),
          ARRAY(SELECT n * i FROM generate_series(1, 500) AS i)
        FROM generate_series(1, 300) AS n""");
    execute("ANALYZE postcommit_outbox_claim");
    execute("TRUNCATE postcommit_outbox_claim");

    assertThat(HASHED.matcher(planOfClaim("COSTS ON")).results())
        .extracting(estimate -> Integer.valueOf(estimate.group(1)))
        .hasSizeGreaterThan(3)
        .allSatisfy(rows -> assertThat(rows).isLessThan(1_000));
  }

  @Test
  @DisplayName("events that wait for a topic cost a claim nothing, nor do those behind them")
  void eventsThatWaitForATopicCostAClaimNothing() {
    double emptyMicros = claimMicros();

    execute(
        """
        INSERT INTO postcommit_outbox (id, topic, type, key, payload, due_at, last_error)
        SELECT gen_random_uuid(), 't', 't', 'waiting-' || n, '\\x7b7d', now() + interval '1 hour',
          'waiting for topic t: it does not exist'
        FROM generate_series(1, 50000) AS n""");
    execute(
        """
        INSERT INTO postcommit_outbox (id, topic, type, key, payload)
        SELECT gen_random_uuid(), 't', 't', 'waiting-1', '\\x7b7d' FROM generate_series(1, 5000)""");
    OutboxStore store = store();
    awaitUntil(
        () -> {
          assertThat(store.claim(upTo(BATCH)).isEmpty()).isTrue();
          return count("status = 'pending' AND due_at IS NULL") == 0;
        });
    double waitingMicros = claimMicros();

    assertThat(waitingMicros)
        .as("a claim: %.0f us with waiting events, %.0f us without", waitingMicros, emptyMicros)
        .isLessThan(Math.max(emptyMicros * 2, 3_000));
  }

  /** Claims and delivers batches of new events; what a claim takes when nothing disturbs it. */
  private double claimMicros() {
    OutboxStore store = store();
    double[] micros = new double[CLAIMS];
    for (int i = 0; i < CLAIMS; i++) {
      List<Event> events = new ArrayList<>();
      for (int n = 0; n < BATCH; n++) {
        events.add(small("k" + n));
      }
      transaction(tx -> outbox().enqueueAll(tx, events));
      long start = System.nanoTime();
      Claim claim = store.claim(upTo(BATCH));
      micros[i] = (System.nanoTime() - start) / 1e3;
      assertThat(claim.events()).hasSize(BATCH);
      store.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
    }
    Arrays.sort(micros);
    return micros[CLAIMS / 10];
  }

  /** The plan of the statement that picks rows, as the store really sends it. */
  private String planOfClaim(String options) throws SQLException {
    List<String> statements = new ArrayList<>();
    OutboxStore.of(SentStatements.of(dataSource(), statements), layout(), UUID.randomUUID())
        .claim(upTo(500));
    String claim =
        statements.stream().filter(sql -> sql.contains("busy")).findFirst().orElseThrow();
    String[] parts = claim.split(Pattern.quote(";\n"), -1);
    try (Connection tx = dataSource().getConnection()) {
      tx.setAutoCommit(false);
      tx.createStatement().execute(parts[1]);
      String plan = SentPlan.of(tx, options, parts[parts.length - 2]);
      tx.rollback();
      return plan;
    }
  }
}
