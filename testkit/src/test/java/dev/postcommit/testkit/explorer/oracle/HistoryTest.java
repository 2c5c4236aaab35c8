package dev.postcommit.testkit.explorer.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.postcommit.testkit.explorer.scenario.Stage;
import dev.postcommit.testkit.explorer.scenario.Violation;
import dev.postcommit.testkit.jdbc.JdbcProxy;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two relays claim an event; the first has not read it when the second claims it. */
class HistoryTest {
  private static final List<String> EVENTS = List.of("a1");

  private final History history = new History();
  private final ClaimStart first = ClaimStart.of(history, relay("relay-1"));

  @BeforeEach
  void anEventIsWritten() {
    history.inserts("a1", "a1", "a", history.beginTransaction(), null);
  }

  private static Stage.Role relay(String name) {
    return JdbcProxy.of(
        Stage.Role.class, (method, arguments) -> method.getName().equals("name") ? name : null);
  }

  private void secondClaims() {
    history.claimed("relay-2", EVENTS, ClaimStart.of(history, relay("relay-2")));
  }

  @Test
  void aRelayThatWasTakenOverWhileItReadItsEventsHasACopyAndNoClaim() {
    history.gone("relay-1");
    history.takenOver();
    secondClaims();

    history.claimed("relay-1", EVENTS, first);

    assertThat(history.hasCopy("relay-2", "a1")).isTrue();
  }

  @Test
  void aRelayWhoseLeaseEndedWhileItReadItsEventsHasNoClaim() {
    history.leasesEnd();
    secondClaims();

    history.claimed("relay-1", EVENTS, first);

    assertThat(history.hasCopy("relay-2", "a1")).isFalse();
  }

  @Test
  void twoClaimsWithoutATakeOverAreAViolation() {
    secondClaims();

    assertThatExceptionOfType(Violation.class)
        .isThrownBy(() -> history.claimed("relay-1", EVENTS, first))
        .withMessage("a1 was claimed by relay-1 while relay-2 works on it");
  }
}
