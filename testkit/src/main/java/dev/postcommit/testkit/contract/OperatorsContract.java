package dev.postcommit.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.layout.Role;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.OutboxAdmin.Action;
import dev.postcommit.store.OutboxAdmin.AuditEntry;
import dev.postcommit.store.UnfinishedDecisionException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Many dead events, and several operators at once. */
public abstract class OperatorsContract extends AdminFixture {
  private static final int MANY = 2100;
  private static final int OPERATORS = 4;

  /** The contract for one layout. */
  protected OperatorsContract(LayoutSample sample) {
    super(sample);
  }

  private long decide(Action action) {
    return action == Action.REPLAY
        ? admin().replay(DeadFilter.all(), WITHOUT_REASON)
        : admin().discard(DeadFilter.all(), WITH_REASON);
  }

  /** Writes copies of a dead event, as dead as it is. */
  private void copy(String id, int copies) {
    execute(
        """
        INSERT INTO %1$s OVERRIDING USER VALUE
        SELECT (jsonb_populate_record(t, jsonb_build_object('%2$s', gen_random_uuid()))).*
        FROM %1$s t, generate_series(1, %3$d) WHERE t.%2$s = '%4$s'"""
            .formatted(settled().table().sql(), settled().required(Role.ID).name(), copies, id));
    layout()
        .failures()
        .ifPresent(
            failures ->
                execute(
                    """
                    INSERT INTO %1$s (id, key, attempts, dead_at, error)
                    SELECT t.id, f.key, f.attempts, f.dead_at, f.error
                    FROM %2$s t, %1$s f WHERE t.id <> f.id"""
                        .formatted(failures.sql(), layout().table().sql())));
  }

  /** Work in proportion. */
  @Test
  @DisplayName(
      "R38: large selections are changed in bounded transactions, each event recorded once")
  public void largeSelectionsAreChangedInBoundedTransactions() {
    copy(dead("a"), MANY - 1);
    List<Integer> sizes = new ArrayList<>();

    assertThat(admin().replay(DeadFilter.all(), WITHOUT_REASON)).isEqualTo(MANY);

    query(
        "SELECT count(*) FROM %s GROUP BY xmin::text ORDER BY min(id)"
            .formatted(layout().audit().sql()),
        size -> sizes.add(Integer.valueOf(size)));
    assertThat(sizes).containsExactly(1000, 1000, 100);
    assertThat(admin().status().pending()).isEqualTo(MANY);
    assertThat(admin().audit(MANY + 1))
        .extracting(AuditEntry::eventId)
        .hasSize(MANY)
        .doesNotHaveDuplicates();
  }

  /** The decision was made before. */
  @Test
  @DisplayName("R38: an event that becomes dead while others are discarded is left")
  public void whatBecomesDeadMeanwhileIsLeft() {
    copy(dead("a"), MANY - 1);
    List<String> late = new ArrayList<>();

    long discarded =
        admin()
            .discard(
                DeadFilter.all(),
                WITH_REASON,
                soFar -> {
                  if (soFar == 1000) {
                    late.add(dead("late"));
                  }
                });

    assertThat(discarded).isEqualTo(MANY);
    assertThat(admin().deadIds(DeadFilter.all(), MANY)).isEqualTo(late).hasSize(1);
  }

  /** Half of the work. */
  @Test
  @DisplayName("R38: a decision that fails half-way says what was done, and can be repeated")
  public void aDecisionThatFailsHalfWayCanBeRepeated() {
    copy(dead("a"), MANY - 1);
    String audit = layout().audit().sql();

    try {
      assertThatThrownBy(
              () ->
                  admin()
                      .replay(
                          DeadFilter.all(),
                          WITHOUT_REASON,
                          soFar -> execute("ALTER TABLE " + audit + " RENAME TO moved_away")))
          .isInstanceOfSatisfying(
              UnfinishedDecisionException.class, e -> assertThat(e.changed()).isEqualTo(1000))
          .hasMessageContaining("1000 events were done before that");
    } finally {
      execute("ALTER TABLE IF EXISTS moved_away RENAME TO " + layout().audit().name());
    }

    assertThat(admin().audit(MANY)).hasSize(1000);
    assertThat(admin().status().pending()).isEqualTo(1000);
    assertThat(admin().replay(DeadFilter.all(), WITHOUT_REASON)).isEqualTo(MANY - 1000);
    assertThat(admin().audit(MANY)).hasSize(MANY);
  }

  /** Operators who do not know of each other. */
  @Test
  @DisplayName("R38: of operators who decide at the same time, one decides on each event")
  public void oneOperatorDecidesOnEachEvent() throws Exception {
    copy(dead("a"), MANY - 1);
    CyclicBarrier start = new CyclicBarrier(OPERATORS);
    ExecutorService operators = Executors.newFixedThreadPool(OPERATORS);
    try {
      List<Future<Long>> results = new ArrayList<>();
      for (int i = 0; i < OPERATORS; i++) {
        Action action = i % 2 == 0 ? Action.REPLAY : Action.DISCARD;
        Callable<Long> operator =
            () -> {
              start.await();
              return decide(action);
            };
        results.add(operators.submit(operator));
      }
      long changed = 0;
      for (Future<Long> result : results) {
        changed += result.get();
      }
      assertThat(changed).isEqualTo(MANY);
    } finally {
      operators.shutdownNow();
    }

    List<AuditEntry> entries = admin().audit(MANY + 1);
    assertThat(entries).extracting(AuditEntry::eventId).hasSize(MANY).doesNotHaveDuplicates();
    assertThat(rows()).isEqualTo(entries.stream().filter(e -> e.action() == Action.REPLAY).count());
    assertThat(admin().status().dead()).isZero();
  }

  /** Both have seen the event dead. */
  @Test
  @DisplayName(
      "R38: who waited for another's decision on the same event looks again and does nothing")
  public void whoWaitedForAnothersDecisionDoesNothing() throws Exception {
    for (Action first : Action.values()) {
      for (Action second : Action.values()) {
        emptyTables();
        decideAtOnce(first, second);
      }
    }
  }

  private void decideAtOnce(Action first, Action second) throws Exception {
    dead("a");
    List<Future<Long>> decided = new ArrayList<>();
    ExecutorService operators = Executors.newFixedThreadPool(2);
    beforeEachAuditEntry("PERFORM pg_advisory_xact_lock(4711);");
    try {
      transaction(
          tx -> {
            tx.createStatement().execute("SELECT pg_advisory_xact_lock(4711)");
            for (Action action : List.of(first, second)) {
              decided.add(operators.submit(() -> decide(action)));
              awaitUntil(() -> waiting() == decided.size());
            }
          });
      assertThat(decided.get(0).get()).isEqualTo(1);
      assertThat(decided.get(1).get()).as("%s after %s", second, first).isZero();
    } finally {
      operators.shutdownNow();
      nothingBeforeAuditEntries();
    }
    assertThat(admin().audit(10)).extracting(AuditEntry::action).containsExactly(first);
    assertThat(admin().status().pending()).isEqualTo(first == Action.REPLAY ? 1 : 0);
    assertThat(rows()).isEqualTo(admin().status().pending());
  }

  private long waiting() {
    long[] result = new long[1];
    query(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'""",
        value -> result[0] = Long.parseLong(value));
    return result[0];
  }
}
