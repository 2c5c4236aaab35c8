package dev.postcommit.testkit.explorer.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.postcommit.testkit.explorer.scenario.Violation;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private static final List<String> EVENTS = List.of("a1");

  private final History history = new History();

  @BeforeEach
  void aRelayIsTakenOver() {
    history.inserts("a1", "a1", "a", history.beginTransaction(), null);
    history.gone("relay-1");
    history.takenOver();
    history.claimed("relay-2", EVENTS, history.leases(), 0);
  }

  @Test
  void aRelayThatWasTakenOverWhileItReadItsEventsHasACopyAndNoClaim() {
    history.claimed("relay-1", EVENTS, history.leases(), 0);

    assertThat(history.hasCopy("relay-2", "a1")).isTrue();
  }

  @Test
  void aRelayThatClaimsAfterItWasTakenOverHasASecondClaim() {
    int takeOvers = history.takeOvers("relay-1");

    assertThatExceptionOfType(Violation.class)
        .isThrownBy(() -> history.claimed("relay-1", EVENTS, history.leases(), takeOvers))
        .withMessage("a1 was claimed by relay-1 while relay-2 works on it");
  }
}
