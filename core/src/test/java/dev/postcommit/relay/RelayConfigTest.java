package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.Ordering;
import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Layout;
import java.io.PrintWriter;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RelayConfigTest {

  private static void refused(UnaryOperator<Relay.Builder> setting, String... inMessage) {
    Publisher publisher = Publisher.callback(Duration.ofSeconds(20), message -> {});
    assertThatThrownBy(() -> setting.apply(Relay.builder(new NoDataSource(), publisher)).build())
        .isInstanceOf(IllegalArgumentException.class)
        .satisfies(e -> assertThat(e.getMessage()).contains(inMessage));
  }

  @Test
  void theDefaultsAreAsDocumented() {
    RelayConfig config = RelayConfig.DEFAULT;
    assertThat(config.batchSize()).isEqualTo(500);
    assertThat(config.batchBytes()).isEqualTo(2 * 1024 * 1024);
    assertThat(config.batchesInFlight()).isEqualTo(4);
    assertThat(config.pollInterval()).isEqualTo(Duration.ofMillis(100));
    assertThat(config.lease()).isEqualTo(Duration.ofSeconds(30));
    assertThat(config.drainTimeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(config.ordering()).isEqualTo(Ordering.PER_KEY);
    assertThat(config.retryPolicy()).isEqualTo(RetryPolicy.DEFAULT);
    assertThat(config.namespace()).isNull();
    assertThat(config.tenant()).isNull();
    assertThat(config.retention()).isEqualTo(Duration.ofDays(30));
    assertThat(config.standbys()).isNull();
  }

  @Test
  void standbysThatCannotBeWaitedForAreRefused() {
    refused(relay -> relay.waitForStandbys(0, List.of("a")), "waitForStandbys", "not 0");
    refused(relay -> relay.waitForStandbys(2, List.of("a")), "waitForStandbys", "is 1, not 2");
    refused(relay -> relay.waitForStandbys(1, List.of("a,b")), "'a,b' is not a name");
    refused(relay -> relay.waitForStandbys(1, List.of("")), "'' is not a name");
    refused(relay -> relay.waitForStandbys(1, List.of("a", "A")), "named twice");
    assertThat(new Standbys(1, Set.of("Replica 1"))).hasToString("1 of replica 1");
  }

  @Test
  @DisplayName("R21: a poll interval over a third of the lease is refused with both values")
  void aPollIntervalOverAThirdOfTheLeaseIsRefused() {
    refused(relay -> relay.pollInterval(Duration.ofSeconds(11)), "PT11S", "PT30S");
    assertThat(
            Relay.builder(
                    new NoDataSource(), Publisher.callback(Duration.ofSeconds(20), message -> {}))
                .pollInterval(Duration.ofSeconds(10))
                .build()
                .state())
        .isEqualTo(Relay.State.NEW);
  }

  @Test
  void aScopeThatTheLayoutDoesNotKeepIsRefused() {
    refused(
        relay -> relay.layout(Layout.preset("polyshop")).namespace("shop"),
        "namespace",
        "polyshop");
    refused(
        relay -> relay.layout(Layout.preset("logistik")).tenant(new UUID(1, 2)),
        "tenant",
        "logistik");
  }

  @Test
  void aLogIsReadAsAWhole() {
    refused(relay -> relay.layout(Layout.log()).namespace("shop"), "namespace is shop", "log");
    refused(relay -> relay.layout(Layout.log()).tenant(new UUID(1, 2)), "tenant is 0", "log");
  }

  @Test
  void aLeaseThatTheDeliveryTimeoutOutlastsIsRefusedWithBothValues() {
    refused(relay -> relay.lease(Duration.ofSeconds(20)), "delivery timeout", "PT20S", "lease");
    refused(relay -> relay.lease(Duration.ofSeconds(15)), "PT20S", "PT15S");
  }

  @Test
  void valuesOutOfRangeAreRefusedWithTheirNames() {
    refused(relay -> relay.batchSize(0), "batchSize", "not 0");
    refused(relay -> relay.batchSize(10_001), "batchSize", "10001");
    refused(relay -> relay.batchBytes(0), "batchBytes");
    refused(relay -> relay.batchesInFlight(0), "batchesInFlight");
    refused(relay -> relay.pollInterval(Duration.ZERO), "pollInterval");
    refused(relay -> relay.retention(Duration.ZERO), "retention", "PT0S", "null keeps");
    refused(relay -> relay.retention(Duration.ofDays(-1)), "retention", "PT-24H");
    refused(relay -> relay.lease(Duration.ZERO), "lease");
    refused(relay -> relay.drainTimeout(Duration.ofSeconds(-1)), "drainTimeout");
  }

  /** Building a relay touches no database. */
  private static final class NoDataSource implements DataSource {
    @Override
    public Connection getConnection() {
      throw new AssertionError("no I/O expected");
    }

    @Override
    public Connection getConnection(String user, String password) {
      throw new AssertionError("no I/O expected");
    }

    @Override
    public PrintWriter getLogWriter() {
      throw new AssertionError("no I/O expected");
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
      return 0;
    }

    @Override
    public Logger getParentLogger() {
      return Logger.getGlobal();
    }

    @Override
    public <T> T unwrap(Class<T> type) {
      throw new AssertionError("no I/O expected");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
      return false;
    }
  }
}
