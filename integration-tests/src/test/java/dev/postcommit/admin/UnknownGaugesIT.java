package dev.postcommit.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.store.OutboxAdmin.Gauges;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.Samples;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Figures that cannot be found in time. */
class UnknownGaugesIT extends LayoutFixture {
  UnknownGaugesIT() {
    super(Samples.NATIVE);
  }

  @Test
  @DisplayName(
      "R49: figures that cannot be found within seconds are unknown, and the others are not")
  void whatTakesTooLongIsUnknown() {
    enqueue("a", 2);
    transaction(
        tx -> {
          try (Statement statement = tx.createStatement()) {
            statement.execute("LOCK TABLE postcommit_outbox IN ACCESS EXCLUSIVE MODE");
          }
          long startedAt = System.nanoTime();

          Gauges gauges = admin().gauges();

          assertThat(gauges).isEqualTo(new Gauges(null, 0, null, null, null, 0, false, null));
          assertThat(Duration.ofNanos(System.nanoTime() - startedAt))
              .isLessThan(Duration.ofSeconds(20));
        });
    assertThat(admin().gauges().pending().rows()).isEqualTo(2);
  }
}
