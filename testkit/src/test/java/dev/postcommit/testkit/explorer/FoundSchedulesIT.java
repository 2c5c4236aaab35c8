package dev.postcommit.testkit.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.testkit.explorer.log.ExactlyOnceScenarios;
import dev.postcommit.testkit.explorer.outbox.NativeScenarios;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Schedules in which a search found something wrong once. */
class FoundSchedulesIT {
  /**
   * A relay without a session has claimed, and is taken over from before it has read the events.
   */
  @Test
  void whoIsTakenOverFromWhileItReadsHasACopyAndNoClaim() throws SQLException {
    Scenario scenario =
        NativeScenarios.all().stream()
            .filter(each -> each.name().equals("native-take-over"))
            .findFirst()
            .orElseThrow();

    try (Explorer explorer = Explorer.of(scenario)) {
      assertThat(explorer.again("leysllrssssssssr")).isEmpty();
    }
  }

  /** A floor was too high here, and events arrived twice later on. */
  @Test
  @DisplayName("R40: a relay that leads again from the middle of a window takes nothing for missed")
  void leadsAgain() throws SQLException {
    try (Explorer explorer = Explorer.of(ExactlyOnceScenarios.leadsAgain().build())) {
      explorer.random(1, 200).requireNone();
    }
  }
}
