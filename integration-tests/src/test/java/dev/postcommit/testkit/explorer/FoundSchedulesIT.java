package dev.postcommit.testkit.explorer;

import dev.postcommit.testkit.explorer.log.ExactlyOnceScenarios;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Schedules in which a search found something wrong once. */
class FoundSchedulesIT {
  /** A floor was too high here, and events arrived twice later on. */
  @Test
  @DisplayName("R40: a relay that leads again from the middle of a window takes nothing for missed")
  void leadsAgain() throws SQLException {
    try (Explorer explorer = Explorer.of(ExactlyOnceScenarios.leadsAgain().build())) {
      explorer.random(1, 200).requireNone();
    }
  }
}
