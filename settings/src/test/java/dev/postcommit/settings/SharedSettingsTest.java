package dev.postcommit.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Layout;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The names, the defaults and the meaning of the settings that server and starter share. */
class SharedSettingsTest {
  private static final SettingValues NOTHING_GIVEN = new GivenSettings(Map.of());

  private static Map<String, String> defaults() {
    Map<String, String> defaults = new LinkedHashMap<>();
    SharedSettings.ALL.forEach(
        setting -> defaults.put(setting.name(), String.valueOf(setting.defaultText())));
    return defaults;
  }

  @Test
  void everyNameIsThere() {
    assertThat(defaults().keySet())
        .containsExactly(
            "table",
            "layout",
            "layout-file",
            "on-delivery",
            "dead-rows",
            "envelope",
            "source",
            "route",
            "registry-file",
            "broker",
            "kafka-bootstrap-servers",
            "kafka-config",
            "kafka-transactional-id",
            "pubsub-project",
            "pubsub-endpoint",
            "pubsub-delivery-timeout",
            "batch-size",
            "batch-bytes",
            "batches-in-flight",
            "poll-interval",
            "lease",
            "drain-timeout",
            "ordering",
            "max-attempts",
            "retry-base-delay",
            "retry-max-delay",
            "give-up-after",
            "namespace",
            "tenant",
            "retention",
            "wait-for-standbys",
            "standby-names");
  }

  @Test
  void everyDefaultIsThere() {
    Map<String, String> defaults = defaults();
    defaults.values().removeIf("null"::equals);
    assertThat(defaults)
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("layout", "native"),
                Map.entry("on-delivery", "keep"),
                Map.entry("broker", "kafka"),
                Map.entry("pubsub-delivery-timeout", "20s"),
                Map.entry("batch-size", "500"),
                Map.entry("batch-bytes", "2MiB"),
                Map.entry("batches-in-flight", "4"),
                Map.entry("poll-interval", "100ms"),
                Map.entry("lease", "30s"),
                Map.entry("drain-timeout", "10s"),
                Map.entry("ordering", "per-key"),
                Map.entry("give-up-after", "off"),
                Map.entry("retention", "30d"),
                Map.entry("wait-for-standbys", "0")));
  }

  @Test
  void everyDefaultCanBeRead() {
    assertThat(SharedSettings.ALL)
        .allSatisfy(
            setting ->
                assertThat(NOTHING_GIVEN.find(setting).isPresent())
                    .isEqualTo(setting.defaultText() != null));
  }

  @Test
  void someDefaultsAreThoseOfTheLayout() {
    Layout packFinderz = layout(Map.of("layout", "packfinderz"));
    assertThat(packFinderz.retryPolicy().maxAttempts()).isEqualTo(25);
    assertThat(ConfiguredRelay.batchSize(NOTHING_GIVEN, packFinderz)).isEqualTo(50);
    assertThat(ConfiguredRelay.pollInterval(NOTHING_GIVEN, packFinderz)).hasMillis(500);
    assertThat(ConfiguredMessages.route(NOTHING_GIVEN, packFinderz))
        .hasToString("fixed:pf-domain-events");
    Layout own = layout(Map.of());
    assertThat(own.retryPolicy()).isEqualTo(RetryPolicy.DEFAULT);
    assertThat(ConfiguredRelay.batchSize(NOTHING_GIVEN, own)).isEqualTo(500);
    assertThat(ConfiguredRelay.batchSize(new GivenSettings(Map.of("batch-size", "7")), packFinderz))
        .isEqualTo(7);
  }

  private static Layout layout(Map<String, String> given) {
    return ConfiguredLayout.of(new GivenSettings(given));
  }

  @Test
  void aMistakeIsNamedAsItWasWritten() {
    SettingValues values = new GivenSettings(Map.of("lease", "5x", "kafka-config", "hunter2"));
    assertThatThrownBy(() -> values.get(RelaySettings.LEASE))
        .hasMessageStartingWith("POSTCOMMIT_LEASE: '5x' is not a duration");
    assertThatThrownBy(() -> values.get(BrokerSettings.KAFKA_CONFIG))
        .hasMessage("POSTCOMMIT_KAFKA_CONFIG: the value is not name=value");
    assertThatThrownBy(() -> values.get(MessageSettings.SOURCE))
        .hasMessage("postcommit.source is not set; set postcommit.source");
    assertThatThrownBy(() -> values.refuse(RelaySettings.LEASE, "why", TableSettings.LAYOUT, "log"))
        .hasMessage(
            "POSTCOMMIT_LEASE is '5x', and why; leave POSTCOMMIT_LEASE out, or set"
                + " postcommit.layout=log");
  }

  @Test
  void everySettingSaysWhatItIs() {
    assertThat(SharedSettings.ALL)
        .allSatisfy(setting -> assertThat(setting.description()).endsWith("."));
  }
}
