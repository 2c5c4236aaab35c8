package dev.postcommit.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.bench.contender.Keys;
import org.junit.jupiter.api.Test;

class VerdictTest {
  private static final int EVENTS = 5;

  private static Verdict verdict(boolean stopped, int... arrived) {
    Arrivals arrivals = new Arrivals(n -> true);
    for (int n : arrived) {
      arrivals.add(n, n);
    }
    return Verdict.of(arrivals, EVENTS, Keys.HOT, n -> n != 4, stopped);
  }

  @Test
  void nothingIsWrongWithAllEventsInOrder() {
    assertThat(verdict(false, 0, 1, 2, 3)).isEqualTo(new Verdict(0, 0, 0, 0, 0));
    assertThat(verdict(false, 0, 1, 2, 3).text()).isEmpty();
  }

  @Test
  void eventsThatAreMissingAreLostUnlessTheRunWasStopped() {
    assertThat(verdict(false, 0, 1, 2)).isEqualTo(new Verdict(1, 0, 0, 0, 0));
    assertThat(verdict(true, 0, 1, 2)).isEqualTo(new Verdict(0, 0, 0, 0, 1));
  }

  @Test
  void eventsThatAreLateRepeatedOrRolledBackAreFound() {
    assertThat(verdict(false, 1, 0, 2, 2, 3, 4)).isEqualTo(new Verdict(0, 1, 1, 1, 0));
    assertThat(verdict(false, 1, 0, 2, 2, 3, 4).text())
        .isEqualTo("1 rolled back and delivered, 1 out of order, 1 repeated");
  }
}
