package dev.postcommit.demo.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.testkit.ledger.Ledger;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictTest {
  private final Ledger ledger = Ledger.create();

  VerdictTest() {
    for (int i = 1; i <= 3; i++) {
      ledger.committed("event-" + i, "key", i);
    }
    ledger.expectedDead("event-2");
    ledger.rolledBack("event-4");
  }

  private Verdict verdict(String... wrong) {
    return new Verdict(ledger.report(), List.of(wrong));
  }

  @Test
  void allIsWellIfWhatWasCommittedArrivedAndThePoisonousIsDead() {
    ledger.delivered("event-1", "key");
    ledger.dead("event-2");
    ledger.delivered("event-3", "key");
    ledger.delivered("event-3", "key");
    assertThat(verdict().holds()).isTrue();
    assertThat(verdict().line())
        .isEqualTo(
            "verified: 2 committed, 2 delivered, 0 lost, 0 phantom, 0 out of order, 1 duplicates,"
                + " 1 dead (expected 1)");
  }

  @Test
  void whatIsWrongIsNamed() {
    ledger.delivered("event-3", "key");
    ledger.delivered("event-4", "key");
    assertThat(verdict().holds()).isFalse();
    assertThat(verdict("the sky fell").line())
        .startsWith("FAILED: 2 committed, 1 delivered, 2 lost, 1 phantom, 0 out of order")
        .contains("lost: event-1 event-2")
        .contains("phantom: event-4")
        .contains("not dead and should be: event-2")
        .endsWith("the sky fell");
  }

  @Test
  void disorderIsNamed() {
    ledger.delivered("event-3", "key");
    ledger.delivered("event-1", "key");
    ledger.dead("event-2");
    assertThat(verdict().line()).startsWith("FAILED: ").contains("out of order: event-1");
  }

  @Test
  void aDeliveredPoisonousEventIsAFailure() {
    ledger.delivered("event-1", "key");
    ledger.delivered("event-2", "key");
    ledger.delivered("event-3", "key");
    assertThat(verdict().holds()).isFalse();
  }
}
