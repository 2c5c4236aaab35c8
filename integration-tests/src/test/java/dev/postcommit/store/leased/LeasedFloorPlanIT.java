package dev.postcommit.store.leased;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.Ordering;
import dev.postcommit.fixture.ExplainedPool;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.Samples;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The indexes by which claims look from an age on, in a table whose settled rows cannot be cleaned
 * up: all of them have to lead past these, whatever the statistics say.
 */
class LeasedFloorPlanIT extends LayoutFixture {
  /** So many that claims do not walk over them each time. */
  private static final int SETTLED = 25_000;

  /** Enough for the driver and the server to have settled for plans that they keep. */
  private static final int CLAIMS = 20;

  private static final List<ClaimRequest> REQUESTS =
      List.of(
          upTo(10),
          upTo(10).scopedTo(Event.DEFAULT_NAMESPACE, null),
          upTo(10).withOrdering(Ordering.NONE));

  private static final Pattern NOT_FROM_A_TIME_ON =
      Pattern.compile(
          "(?:Seq Scan|Index(?: Only)? Scan using \\w+) on modkit_outbox_events.*\n"
              + "(?! +Index Cond: .*(?:created_at >=|next_attempt_at >=|\\bid = ))");

  LeasedFloorPlanIT() {
    super(Samples.MODKIT);
  }

  @Test
  @DisplayName("claims lead past what cannot be cleaned up, whatever the statistics say")
  void claimsLeadPastWhatCannotBeCleanedUp() throws SQLException {
    stopAutovacuum();
    execute("ANALYZE modkit_outbox_events");
    try (Connection holder = dataSource().getConnection()) {
      holder.setAutoCommit(false);
      holder.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      try (Statement statement = holder.createStatement()) {
        statement.execute("SELECT pg_current_xact_id()");
      }
      insert("pending", 0, "now() - interval '1 hour'", SETTLED);
      execute("UPDATE modkit_outbox_events SET status = 'delivered'");
      assertPlans("of an empty table");

      execute("ANALYZE modkit_outbox_events");
      assertPlans("of settled rows");

      insert("pending", 0, "now()", 5_000);
      insert("pending", 1, "now()", 5_000);
      insert("pending", 1, "now() + interval '1 hour'", 5_000);
      insert("processing", 1, "now()", 5_000);
      execute("ANALYZE modkit_outbox_events");
      execute("UPDATE modkit_outbox_events SET status = 'delivered'");
      assertPlans("of rows of every kind");
      holder.rollback();
    }
  }

  private void insert(String status, int attempts, String dueAt, int rows) {
    execute(
        """
        INSERT INTO modkit_outbox_events (id, namespace, topic, tenant_id, payload, status, attempts,
          next_attempt_at, created_at)
        SELECT gen_random_uuid(), 'n', 't', gen_random_uuid(), '{}', '%s', %d, %s,
          now() - interval '1 hour'
        FROM generate_series(1, %d)"""
            .formatted(status, attempts, dueAt, rows));
  }

  private void assertPlans(String statistics) {
    for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
      try (ExplainedPool pool = new ExplainedPool(database(), "plan_cache_mode=" + mode)) {
        OutboxStore store = OutboxStore.of(pool.dataSource(), layout(), UUID.randomUUID());
        for (int i = 0; i < CLAIMS; i++) {
          String event = enqueue("a", 1).get(0);
          Claim claim = store.claim(REQUESTS.get(i % REQUESTS.size()));
          assertThat(ids(claim)).containsExactly(event);
          store.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
        }
        List<String> plans = pool.plans().stream().filter(LeasedFloorPlanIT::isBounded).toList();
        assertThat(plans).as("statistics %s, %s", statistics, mode).hasSizeGreaterThan(CLAIMS);
        assertThat(plans)
            .as("statistics %s, %s", statistics, mode)
            .noneMatch(plan -> NOT_FROM_A_TIME_ON.matcher(plan).find());
      }
    }
  }

  /** The two statements of a claim that do not begin it. */
  private static boolean isBounded(String plan) {
    return plan.contains("lowest AS") || plan.contains(">= timestamptz 'epoch'");
  }
}
