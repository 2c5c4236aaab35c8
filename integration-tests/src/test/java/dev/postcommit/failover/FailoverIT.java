package dev.postcommit.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.failover.Failover.Result;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A primary dies while its asynchronous standby is behind, and the standby is promoted: what was
 * delivered has its row there if relays wait for standbys, and only then.
 */
@EnabledIfEnvironmentVariable(named = "POSTCOMMIT_TEST_ALL", matches = "true")
class FailoverIT {
  private static final Logger log = LoggerFactory.getLogger(FailoverIT.class);

  private static Result failover(LayoutSample sample, boolean waits) {
    try (Failover failover = new Failover(sample, waits)) {
      Result result = failover.run();
      log.info(
          "{}, {}: {} delivered, {} ghosts, {} lost",
          sample.layout().name(),
          waits ? "waiting for a standby" : "not waiting",
          result.delivered(),
          result.ghosts().size(),
          result.lost().size());
      assertThat(result.lost()).as("lost").isEmpty();
      return result;
    }
  }

  @Test
  @DisplayName("native: without waiting, events without a row are delivered")
  void withoutWaitingThereAreGhosts() {
    assertThat(failover(Samples.NATIVE, false).ghosts()).isNotEmpty();
  }

  @Test
  @DisplayName("native: no event is delivered without a row, and none is lost")
  void noGhostsOfANativeTable() {
    assertThat(failover(Samples.NATIVE, true).ghosts()).isEmpty();
  }

  @Test
  @DisplayName("log: without waiting, events without a row are delivered")
  void withoutWaitingALogHasGhosts() {
    assertThat(failover(Samples.LOG, false).ghosts()).isNotEmpty();
  }

  @Test
  @DisplayName("log: no event is delivered without a row, and none is lost")
  void noGhostsOfALog() {
    assertThat(failover(Samples.LOG, true).ghosts()).isEmpty();
  }

  @Test
  @DisplayName("modkit: no event is delivered without a row, and none is lost")
  void noGhostsOfAModkitTable() {
    assertThat(failover(Samples.MODKIT, true).ghosts()).isEmpty();
  }

  @Test
  @DisplayName("held: no event is delivered without a row, and none is lost")
  void noGhostsOfAHeldTable() {
    assertThat(failover(Samples.LOGISTIK, true).ghosts()).isEmpty();
  }
}
