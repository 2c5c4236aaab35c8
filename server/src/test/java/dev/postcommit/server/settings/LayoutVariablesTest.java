package dev.postcommit.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.layout.Layout;
import dev.postcommit.settings.ConfiguredLayout;
import dev.postcommit.settings.ConfiguredMessages;
import dev.postcommit.settings.ConfiguredRelay;
import dev.postcommit.settings.MessageSettings;
import dev.postcommit.settings.MessageSettings.EnvelopeName;
import dev.postcommit.settings.RelaySettings;
import dev.postcommit.settings.Setting;
import dev.postcommit.settings.SettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a layout says about settings, by the example of PackFinderz. */
@DisplayName("R47: the names and defaults of PackFinderz")
class LayoutVariablesTest {
  private static final Map<String, String> NAMES =
      Map.of(
          "PACKFINDERZ_OUTBOX_PUBLISH_BATCH_SIZE", "10",
          "PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS", "250",
          "PACKFINDERZ_OUTBOX_MAX_ATTEMPTS", "3",
          "PACKFINDERZ_PUBSUB_DOMAIN_TOPIC", "events");

  private static Settings read(String layout, Map<String, String> environment) {
    Map<String, String> all = new HashMap<>(environment);
    all.put("POSTCOMMIT_LAYOUT", layout);
    return Settings.read(Map.of(), null, all, Path.of("no such directory"));
  }

  private static void assertValues(
      Settings settings, int batchSize, Duration poll, int attempts, String route) {
    Layout layout = ConfiguredLayout.of(settings);
    assertThat(batchSize(settings)).isEqualTo(batchSize);
    assertThat(ConfiguredRelay.pollInterval(settings, layout)).isEqualTo(poll);
    assertThat(layout.retryPolicy().maxAttempts()).isEqualTo(attempts);
    assertThat(ConfiguredMessages.route(settings, layout)).hasToString(route);
  }

  private static int batchSize(Settings settings) {
    return ConfiguredRelay.batchSize(settings, ConfiguredLayout.of(settings));
  }

  @Test
  void areInForceWithItsLayout() {
    Settings usual = read("packfinderz", Map.of("PACKFINDERZ_OUTBOX_MAX_ATTEMPTS", ""));
    assertValues(usual, 50, Duration.ofMillis(500), 25, "fixed:pf-domain-events");
    assertThat(usual.isGiven(RelaySettings.BATCH_SIZE)).isFalse();
    assertValues(read("packfinderz", NAMES), 10, Duration.ofMillis(250), 3, "fixed:events");
  }

  @Test
  void meanNothingWithAnotherLayout() {
    Settings settings = read("logistik", NAMES);
    assertThat(batchSize(settings)).isEqualTo(500);
    assertThat(settings.get(RelaySettings.POLL_INTERVAL)).hasMillis(100);
    assertThat(settings.find(RelaySettings.MAX_ATTEMPTS)).isEmpty();
    assertThat(settings.find(MessageSettings.ROUTE)).isEmpty();
  }

  @Test
  void areInForceForTheRelaysWithItsLayoutAlone() {
    Map<String, String> environment = new HashMap<>(NAMES);
    environment.put("POSTCOMMIT_RELAYS", "a,b");
    environment.put("POSTCOMMIT_RELAY_A_LAYOUT", "packfinderz");
    Settings settings = read("native", environment);

    assertThat(batchSize(settings.relay("a"))).isEqualTo(10);
    assertThat(batchSize(settings.relay("b"))).isEqualTo(500);
  }

  @Test
  void comeAfterOurOwnNames() {
    Map<String, String> environment = new HashMap<>(NAMES);
    environment.put("POSTCOMMIT_BATCH_SIZE", "7");
    environment.put("POSTCOMMIT_POLL_INTERVAL", "10ms");
    environment.put("POSTCOMMIT_MAX_ATTEMPTS", "unlimited");
    environment.put("POSTCOMMIT_ROUTE", "type");

    assertValues(
        read("packfinderz", environment), 7, Duration.ofMillis(10), Integer.MAX_VALUE, "type");
  }

  @Test
  void areRefusedByNameIfAValueIsWrong() {
    assertRefused(
        RelaySettings.BATCH_SIZE,
        "PACKFINDERZ_OUTBOX_PUBLISH_BATCH_SIZE",
        "0",
        "PACKFINDERZ_OUTBOX_PUBLISH_BATCH_SIZE: '0' is not a whole number from 1 to 10000");
    assertRefused(
        RelaySettings.POLL_INTERVAL,
        "PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS",
        "500ms",
        "PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS: '500ms' is not a whole number from 250 to 1000; for"
            + " any other time set POSTCOMMIT_POLL_INTERVAL");
    assertRefused(
        RelaySettings.MAX_ATTEMPTS,
        "PACKFINDERZ_OUTBOX_MAX_ATTEMPTS",
        "many",
        "PACKFINDERZ_OUTBOX_MAX_ATTEMPTS: 'many' is not a whole number of at least 1");
    assertRefused(
        MessageSettings.ROUTE,
        "PACKFINDERZ_PUBSUB_DOMAIN_TOPIC",
        " ",
        "PACKFINDERZ_PUBSUB_DOMAIN_TOPIC: ' ' is not a route: topic must not be blank");
  }

  @Test
  @DisplayName("R36: an idle relay sleeps 250 to 1000 ms")
  void keepTheIdleSleepWithinBounds() {
    for (String wrong : new String[] {"249", "1001"}) {
      assertRefused(
          RelaySettings.POLL_INTERVAL,
          "PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS",
          wrong,
          "is not a whole number from 250 to 1000");
    }
  }

  private static void assertRefused(
      Setting<?> setting, String variable, String text, String message) {
    Settings settings = read("packfinderz", Map.of(variable, text));
    assertThatThrownBy(() -> settings.get(setting))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining(message);
  }

  @Test
  void thatARelayHasNoUseForAreNotItsBusiness() {
    Map<String, String> environment =
        Map.of(
            "PACKFINDERZ_PUBSUB_DOMAIN_SUBSCRIPTION", "compliance",
            "PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL", "720h",
            "PACKFINDERZ_OUTBOX_IDEMPOTENCY_TTL_HOURS", "168",
            "PACKFINDERZ_PUBSUB_OTHER", "x");
    assertThat(batchSize(read("packfinderz", environment))).isEqualTo(50);
  }

  @Test
  @DisplayName("a layout file may have defaults and variables as a preset has them")
  void aFileIsAsGoodAsAPreset(@TempDir Path directory) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("layout.properties"),
            """
            name = shop
            table = events
            lifecycle = processed-flag
            column.id = id uuid
            column.type = type text
            column.payload = body jsonb
            column.created-at = at timestamptz
            column.processed = done boolean
            retry.max-attempts = required
            setting.batch-size = 20
            setting.envelope = message-id
            setting.route = nowhere
            variable.batch-size = SHOP_BATCH
            """);
    Map<String, String> environment = Map.of("POSTCOMMIT_LAYOUT_FILE", file.toString());
    Settings settings = Settings.read(Map.of(), null, environment, directory);

    assertThat(batchSize(settings)).isEqualTo(20);
    Layout layout = ConfiguredLayout.chosen(settings);
    assertThat(ConfiguredMessages.envelopeName(settings, layout))
        .isEqualTo(EnvelopeName.MESSAGE_ID);
    assertThat(layout.settings().requiresMaxAttempts()).isTrue();
    assertThatThrownBy(() -> ConfiguredMessages.route(settings, layout))
        .hasMessageStartingWith(
            "setting.route of the shop layout: 'nowhere' is not one of recorded");
    Map<String, String> more = new HashMap<>(environment);
    more.put("SHOP_BATCH", "30");
    assertThat(batchSize(Settings.read(Map.of(), null, more, directory))).isEqualTo(30);
  }
}
