package dev.postcommit.testkit.explorer;

import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random schedules of whole relays with all their threads: none breaks a promise. */
class RelaySchedulesIT {
  private static final int SCHEDULES = 10;

  static Stream<Scenario> scenarios() {
    return Scenarios.wholeRelays().stream();
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void noRandomScheduleBreaksAPromise(Scenario scenario) throws SQLException {
    Schedules.random(scenario, SCHEDULES);
  }
}
