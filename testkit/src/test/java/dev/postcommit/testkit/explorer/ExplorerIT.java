package dev.postcommit.testkit.explorer;

import static dev.postcommit.testkit.explorer.AccountScenario.add;
import static dev.postcommit.testkit.explorer.AccountScenario.read;
import static dev.postcommit.testkit.explorer.AccountScenario.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.explorer.Explorer.Failure;
import dev.postcommit.testkit.explorer.Explorer.Report;
import dev.postcommit.testkit.explorer.outbox.OutboxScenario;
import dev.postcommit.testkit.explorer.search.DivergedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The explorer itself: what it finds, what it leaves out, and that it repeats itself. */
class ExplorerIT {
  private static final int PLENTY = 5_000;

  @Test
  void findsALostUpdateAndTellsHowItHappened() throws SQLException {
    AccountScenario scenario = new AccountScenario("x2 y0");
    scenario.actor("alice", (tx, self, all) -> increment(tx));
    scenario.actor("bob", (tx, self, all) -> increment(tx));
    try (Explorer explorer = Explorer.of(scenario)) {
      Failure failure = explorer.all(PLENTY).failure().orElseThrow();

      assertThat(failure.problem()).isEqualTo("the numbers are x1 y0, not x2 y0");
      assertThat(failure.script())
          .as("each step, with what it returned")
          .anyMatch(line -> line.startsWith("alice") && line.contains("SELECT value"))
          .anyMatch(line -> line.contains("-> (0)"))
          .anyMatch(line -> line.startsWith("bob") && line.contains("UPDATE account"));
      assertThat(explorer.again(failure.number()).orElseThrow().problem())
          .as("its number plays it again")
          .isEqualTo(failure.problem());
    }
  }

  private static void increment(Connection tx) throws SQLException {
    tx.setAutoCommit(false);
    set(tx, "x", read(tx, "x") + 1);
    tx.commit();
  }

  @Test
  void anActorThatWaitsForALockGoesOnWhenItIsReleased() throws SQLException {
    AccountScenario scenario = new AccountScenario("x2 y0");
    for (String name : new String[] {"alice", "bob"}) {
      scenario.actor(
          name,
          (tx, self, all) -> {
            tx.setAutoCommit(false);
            add(tx, "x");
            tx.commit();
          });
    }
    try (Explorer explorer = Explorer.of(scenario)) {
      Report report = explorer.all(PLENTY);

      report.requireNone();
      assertThat(report.isComplete()).isTrue();
      assertThat(report.schedules()).isGreaterThan(2);
    }
  }

  /** Which of the two it ends depends on when they began to wait, so such runs may differ. */
  @Test
  void postgresEndsADeadlock() throws SQLException {
    AccountScenario scenario = new AccountScenario("");
    AtomicInteger deadlocks = new AtomicInteger();
    scenario.actor("alice", (tx, self, all) -> addToBoth(tx, "x", "y", deadlocks));
    scenario.actor("bob", (tx, self, all) -> addToBoth(tx, "y", "x", deadlocks));
    try (Explorer explorer = Explorer.of(scenario)) {
      Report report = explorer.random(1, 40);

      report.requireNone();
      assertThat(report.results()).containsExactlyInAnyOrder("x1 y1", "x2 y2");
      assertThat(deadlocks).hasPositiveValue();
    }
  }

  private static void addToBoth(Connection tx, String first, String second, AtomicInteger deadlocks)
      throws SQLException {
    tx.setAutoCommit(false);
    try {
      add(tx, first);
      add(tx, second);
      tx.commit();
    } catch (SQLException e) {
      assertThat(e.getSQLState()).isEqualTo("40P01");
      deadlocks.incrementAndGet();
      tx.rollback();
    }
  }

  @Test
  void leavingOutCommutingStepsLeavesOutNoResult() throws SQLException {
    AccountScenario scenario = new AccountScenario("");
    scenario.actor(
        "alice",
        (tx, self, all) -> {
          tx.setAutoCommit(false);
          int y = read(tx, "y");
          self.step("a channel", "alice speaks");
          set(tx, "x", 10 + y);
          tx.commit();
        });
    scenario.actor(
        "bob",
        (tx, self, all) -> {
          tx.setAutoCommit(false);
          int x = read(tx, "x");
          self.step("another channel", "bob speaks");
          set(tx, "y", 20 + x);
          tx.commit();
        });
    scenario.actor("carol", (tx, self, all) -> set(tx, "y", read(tx, "x")));
    try (Explorer explorer = Explorer.of(scenario)) {
      Report reduced = explorer.all(PLENTY);
      Report full = explorer.allOrders(PLENTY);

      assertThat(reduced.isComplete()).isTrue();
      assertThat(full.isComplete()).isTrue();
      assertThat(reduced.results()).hasSizeGreaterThan(3).isEqualTo(full.results());
      assertThat(reduced.schedules()).isLessThan(full.schedules() / 2);
    }
  }

  @Test
  void leavingOutCommutingStepsOfAnOutboxLeavesOutNoResult() throws SQLException {
    OutboxScenario scenario =
        OutboxScenario.of("reduction", Samples.NATIVE)
            .writer("writer-1", "a1")
            .writer("writer-2", "b1")
            .relay("relay-1", 1, 1)
            .build();
    try (Explorer explorer = Explorer.of(scenario)) {
      Report reduced = explorer.all(PLENTY);
      Report full = explorer.allOrders(PLENTY);

      assertThat(reduced.isComplete()).isTrue();
      assertThat(full.isComplete()).isTrue();
      assertThat(reduced.results()).isEqualTo(full.results());
      assertThat(reduced.schedules()).isLessThan(full.schedules());
    }
  }

  @Test
  void anActorCanBeKilledBetweenAnyTwoSteps() throws SQLException {
    AccountScenario scenario = new AccountScenario("");
    scenario.actor(
        "alice",
        (tx, self, all) -> {
          tx.setAutoCommit(false);
          add(tx, "x");
          add(tx, "y");
          tx.commit();
        });
    scenario.actor(
        "killer",
        (tx, self, all) -> {
          self.step("kill alice");
          all.get("alice").kill();
        });
    try (Explorer explorer = Explorer.of(scenario)) {
      Report report = explorer.all(PLENTY);

      report.requireNone();
      assertThat(report.results()).containsExactlyInAnyOrder("x0 y0", "x1 y1");
    }
  }

  @Test
  void aRunThatDoesNotRepeatItselfFails() throws SQLException {
    AtomicInteger runs = new AtomicInteger();
    AccountScenario scenario = new AccountScenario("");
    scenario.actor("alice", (tx, self, all) -> read(tx, "x"));
    scenario.actor("bob", (tx, self, all) -> read(tx, runs.incrementAndGet() > 1 ? "y" : "x"));
    scenario.actor(
        "carol", (tx, self, all) -> self.step("carol came the " + runs.get() + "th time"));
    try (Explorer explorer = Explorer.of(scenario)) {
      assertThatThrownBy(() -> explorer.allOrders(PLENTY)).isInstanceOf(DivergedException.class);
    }
  }

  @Test
  void theSameSeedPlaysTheSameSchedules() throws SQLException {
    AccountScenario scenario = new AccountScenario("x2 y0");
    scenario.actor("alice", (tx, self, all) -> increment(tx));
    scenario.actor("bob", (tx, self, all) -> increment(tx));
    try (Explorer explorer = Explorer.of(scenario)) {
      Failure first = explorer.random(7, 500).failure().orElseThrow();
      Failure second = explorer.random(7, 500).failure().orElseThrow();

      assertThat(second).isEqualTo(first);
    }
  }
}
