package dev.postcommit.testkit.explorer;

import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Schedules of {@link NativeScenarios}: none breaks a promise. */
class NativeSchedulesIT {
  private static final int SMALL = 2;
  private static final int SCHEDULES = 14;

  static Stream<Scenario> small() {
    return NativeScenarios.all().stream().limit(SMALL);
  }

  static Stream<Scenario> large() {
    return NativeScenarios.all().stream().skip(SMALL);
  }

  @ParameterizedTest
  @MethodSource("small")
  void noScheduleOfASmallScenarioBreaksAPromise(Scenario scenario) throws SQLException {
    Schedules.all(scenario);
  }

  @ParameterizedTest
  @MethodSource("large")
  void noRandomScheduleBreaksAPromise(Scenario scenario) throws SQLException {
    Schedules.random(scenario, SCHEDULES);
  }
}
