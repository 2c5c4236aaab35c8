package dev.postcommit.testkit.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.postcommit.testkit.explorer.Explorer.Failure;
import dev.postcommit.testkit.explorer.relay.RelayScenario;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import dev.postcommit.testkit.explorer.scenario.Stage;
import dev.postcommit.testkit.explorer.scenario.Violation;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** What is special about schedules of whole relays with all their threads. */
class RelaySchedulesIT {
  private static final long SEED = 1;
  private static final int SCHEDULES = 30;

  @TestFactory
  @EnabledIfEnvironmentVariable(
      named = "POSTCOMMIT_TEST_ALL",
      matches = "true",
      disabledReason = "few schedules have a take-over; POSTCOMMIT_TEST_ALL=true plays many")
  Stream<DynamicTest> noneDoesWhenRelaysTakeOver() {
    return RelayScenario.all().stream().map(scenario -> random(scenario.withTakeovers()));
  }

  private static DynamicTest random(Scenario scenario) {
    return dynamicTest(
        scenario.name(),
        () -> {
          try (Explorer explorer = Explorer.of(scenario)) {
            explorer.random(SEED, SCHEDULES).requireNone();
          }
        });
  }

  @Test
  @DisplayName("a failure has the script of what happened, and no number to play it again")
  void failureHasNoNumber() throws SQLException {
    try (Explorer explorer = Explorer.of(new Failing(RelayScenario.onNative()))) {
      Failure failure = explorer.random(SEED, 1).failure().orElseThrow();
      assertThat(failure.number()).isNull();
      assertThat(failure.script()).anyMatch(line -> line.contains("relay-"));
      assertThat(failure.text()).contains("that is wrong", "no number plays it again");
    }
  }

  @Test
  @DisplayName("schedules that depend on timing are not played again, nor all of them")
  void isNotPlayedAgain() throws SQLException {
    try (Explorer explorer = Explorer.of(RelayScenario.onNative())) {
      assertThatIllegalArgumentException().isThrownBy(() -> explorer.again("1"));
      assertThatIllegalArgumentException().isThrownBy(() -> explorer.all(1));
    }
  }

  /** A scenario none of whose runs is right. */
  private record Failing(Scenario scenario) implements Scenario {

    @Override
    public String name() {
      return scenario.name();
    }

    @Override
    public boolean isRepeatable() {
      return scenario.isRepeatable();
    }

    @Override
    public void create(DataSource database) throws SQLException {
      scenario.create(database);
    }

    @Override
    public void reset(Connection connection) throws SQLException {
      scenario.reset(connection);
    }

    @Override
    public Play begin(Stage stage) throws SQLException {
      Play play = scenario.begin(stage);
      return new Play() {
        @Override
        public void finish() throws Exception {
          play.finish();
        }

        @Override
        public void check() {
          throw new Violation("that is wrong");
        }

        @Override
        public String result() {
          return play.result();
        }
      };
    }
  }
}
