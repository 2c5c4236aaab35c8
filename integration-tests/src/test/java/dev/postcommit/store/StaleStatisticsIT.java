package dev.postcommit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.fixture.AdoptedSample;
import dev.postcommit.fixture.ExplainedPool;
import dev.postcommit.internal.factory.Stores;
import dev.postcommit.internal.store.RelayStore;
import dev.postcommit.layout.Role;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * What relays read when Postgres does not know of the backlog, since its statistics are from quiet
 * times: what happens after an outage.
 */
class StaleStatisticsIT {
  private static final int DELIVERED = 2_000;
  private static final int PENDING = 10_000;
  private static final int KEYS = 28;
  private static final int BATCH = 200;

  /** How many events each relay takes of the backlog. */
  private static final int EACH = 9 * BATCH;

  /** Enough for the driver and the server to have settled for plans that they keep. */
  private static final int QUIET_ROUNDS = 12;

  /** Rows that other relays deliver. */
  private static final int IN_FLIGHT = 1_500;

  /** What is looked through in a native table if an event is due again, or for blocked ones. */
  private static final int WINDOW = 4_096;

  /** More than are diverted from the log here, among which each key is looked up. */
  private static final int DIVERTED = 600;

  private static final Pattern BY_IDS =
      Pattern.compile("Scan using (\\w+) on .*\n +Index Cond: \\(.*\\b(?:id|event_no) = ANY");

  @Nested
  class Native extends Stale {
    Native() {
      super(Samples.NATIVE);
    }

    @Override
    long most(String plan) {
      return plan.contains("lowest AS") ? WINDOW : super.most(plan);
    }
  }

  @Nested
  class NativeDeleting extends Stale {
    NativeDeleting() {
      super(Samples.NATIVE_DELETING);
    }

    @Override
    long most(String plan) {
      return plan.contains("lowest AS") ? WINDOW : super.most(plan);
    }
  }

  @Nested
  class Log extends Stale {
    Log() {
      super(Samples.LOG);
    }

    @Override
    long most(String plan) {
      return plan.contains("postcommit.upto") ? KEYS * DIVERTED : super.most(plan);
    }
  }

  @Nested
  class Modkit extends Stale {
    Modkit() {
      super(Samples.MODKIT);
    }

    @Override
    long most(String plan) {
      if (plan.contains("head AS")) {
        return WINDOW;
      }
      return plan.contains("SKIP LOCKED") ? IN_FLIGHT + 2 * BATCH : super.most(plan);
    }

    @Override
    void disturb() {
      execute(
          """
          INSERT INTO modkit_outbox_events
            (id, namespace, topic, tenant_id, payload, status, attempts, locked_by, locked_until)
          SELECT gen_random_uuid(), 'default', 't', gen_random_uuid(), '1', 'processing', 1,
            gen_random_uuid(), now() + interval '1 hour'
          FROM generate_series(1, %d)"""
              .formatted(IN_FLIGHT));
    }
  }

  @Nested
  class Logistik extends Stale {
    Logistik() {
      super(Samples.LOGISTIK);
    }
  }

  @Nested
  class LogistikDeleting extends Stale {
    LogistikDeleting() {
      super(Samples.LOGISTIK_DELETING);
    }
  }

  @Nested
  class PackFinderz extends Stale {
    PackFinderz() {
      super(Samples.PACKFINDERZ);
    }
  }

  @Nested
  class PolyShop extends Stale {
    PolyShop() {
      super(Samples.POLYSHOP);
    }
  }

  @Nested
  class HeldNative extends Stale {
    HeldNative() {
      super(Samples.HELD_NATIVE);
    }
  }

  @Nested
  class Adopted extends Stale {
    Adopted() {
      super(
          new LayoutSample(
              AdoptedSample.LAYOUT,
              key -> Event.builder("happened").aggregateId(key),
              tenant -> Event.builder("happened").build()));
    }

    @Override
    protected void createTables() {
      try {
        AdoptedSample.create(dataSource());
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    void write(int rows) {
      execute(
          """
          INSERT INTO legacy.domain_events (kind, entity, body)
          SELECT 'happened', 'k' || n %% %d, '{}' FROM generate_series(1, %d) AS n"""
              .formatted(KEYS, rows));
    }
  }

  abstract static class Stale extends LayoutFixture {
    Stale(LayoutSample sample) {
      super(sample);
    }

    /** How many rows a statement may read that has this plan. */
    long most(String plan) {
      boolean isListing = isHeld() && plan.contains("LIMIT $");
      return isListing ? DELIVERED + PENDING : 2 * BATCH;
    }

    /** What else is going on at the table. */
    void disturb() {}

    @Test
    @DisplayName("a claim and what settles it read its own rows, not the backlog")
    void aClaimReadsItsOwnRows() {
      stopAutovacuum();
      letEachRowHaveATime();
      write(DELIVERED);
      try (RelayStore store = Stores.open(dataSource(), layout(), UUID.randomUUID())) {
        deliver(store, DELIVERED);
      }
      if (!isLog()) {
        execute("VACUUM FULL " + layout().table().sql());
      }
      execute("ANALYZE");
      try (Relays relays = new Relays()) {
        relays.workInQuietTimes();
        write(PENDING);
        disturb();
        relays.workThroughTheBacklog();
      }
    }

    /** Relays that differ in how their statements are planned. */
    private final class Relays implements AutoCloseable {
      private final Map<String, ExplainedPool> pools = new LinkedHashMap<>();
      private final Map<String, RelayStore> stores = new LinkedHashMap<>();

      Relays() {
        for (String mode : List.of("auto", "force_generic_plan", "force_custom_plan")) {
          ExplainedPool pool = new ExplainedPool(database(), "plan_cache_mode=" + mode);
          pools.put(mode, pool);
          stores.put(mode, Stores.open(pool.dataSource(), layout(), UUID.randomUUID()));
        }
      }

      void workInQuietTimes() {
        for (RelayStore store : stores.values()) {
          for (int i = 0; i < QUIET_ROUNDS; i++) {
            write(1);
            deliver(store, 1);
          }
          store.releaseIdle();
        }
      }

      void workThroughTheBacklog() {
        pools.forEach(
            (mode, pool) -> {
              pool.plans().clear();
              RelayStore store = stores.get(mode);
              int claimed = 0;
              for (int round = 0; claimed < EACH; round++) {
                Claim claim = store.claim(upTo(BATCH));
                claimed += claim.events().size();
                store.settle(claim, outcomes(ids(claim), round));
              }
              store.close();
              check(mode, pool.plans());
            });
      }

      @Override
      public void close() {
        pools.values().forEach(ExplainedPool::close);
      }
    }

    private void check(String mode, List<String> plans) {
      for (String plan : plans) {
        assertThat(BY_IDS.matcher(plan).results())
            .as("found by ids with %s: %s", mode, plan)
            .allMatch(
                scan -> scan.group(1).endsWith("_pkey") || scan.group(1).equals("pk_outbox_id"));
        assertThat(ExplainedPool.mostRows(plan))
            .as("rows read with %s: %s", mode, plan)
            .isLessThanOrEqualTo(most(plan));
      }
    }

    private static void deliver(RelayStore store, int events) {
      int delivered = 0;
      while (delivered < events) {
        Claim claim = store.claim(upTo(500));
        store.settle(claim, ids(claim).stream().map(Outcome.Delivered::new).toList());
        delivered += claim.events().size();
      }
      store.releaseIdle();
    }

    /** Events of one transaction have one time, which is not how an outage leaves them. */
    private void letEachRowHaveATime() {
      if (!isLog()) {
        execute(
            "ALTER TABLE %s ALTER COLUMN %s SET DEFAULT clock_timestamp()"
                .formatted(layout().table().sql(), layout().sql(Role.CREATED_AT)));
      }
    }

    void write(int rows) {
      List<Event> events = new ArrayList<>();
      for (int i = 0; i < rows; i++) {
        events.add(small("k" + i % KEYS));
      }
      transaction(tx -> outbox().enqueueAll(tx, events));
    }

    /** In some rounds, the first few of a batch are not delivered. */
    private static List<Outcome> outcomes(List<String> ids, int round) {
      List<Outcome> outcomes = new ArrayList<>();
      for (String id : ids) {
        int kind = round % 4 < 3 ? 0 : outcomes.size();
        outcomes.add(
            switch (kind) {
              case 1 -> new Outcome.Retry(id, "refused", Duration.ZERO);
              case 2 -> new Outcome.Deferred(id, "waiting for topic t: gone", Duration.ZERO);
              case 3 -> new Outcome.Dead(id, "invalid");
              case 4 -> new Outcome.Released(id);
              default -> new Outcome.Delivered(id);
            });
      }
      return outcomes;
    }
  }
}
