package dev.postcommit.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.relay.RelayConfig;
import dev.postcommit.settings.BrokerSettings;
import dev.postcommit.settings.RelaySettings;
import dev.postcommit.settings.Setting;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is so for every setting; {@link ConfigurationPageTest} has the names and the defaults. */
class ServerSettingsTest {
  private static final Settings NOTHING_GIVEN =
      Settings.read(Map.of(), null, Map.of(), Path.of("no such directory"));

  @Test
  void aNameHasThreeForms() {
    Setting<?> setting = BrokerSettings.KAFKA_BOOTSTRAP_SERVERS;
    assertThat(setting.flag()).isEqualTo("--kafka-bootstrap-servers");
    assertThat(setting.variable()).isEqualTo("POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS");
    assertThat(setting.property()).isEqualTo("postcommit.kafka.bootstrap-servers");
  }

  @Test
  void noTwoSettingsHaveOneName() {
    assertThat(ServerSettings.ALL).extracting(Setting::name).doesNotHaveDuplicates();
    assertThat(ServerSettings.ALL).extracting(Setting::property).doesNotHaveDuplicates();
  }

  @Test
  void everyDefaultCanBeRead() {
    assertThat(ServerSettings.ALL)
        .allSatisfy(
            setting ->
                assertThat(NOTHING_GIVEN.find(setting).isPresent())
                    .isEqualTo(setting.defaultText() != null));
  }

  @Test
  void defaultsAreThoseOfTheRelay() {
    RelayConfig relay = RelayConfig.DEFAULT;
    assertThat(NOTHING_GIVEN.get(RelaySettings.BATCH_SIZE)).isEqualTo(relay.batchSize());
    assertThat(NOTHING_GIVEN.get(RelaySettings.BATCH_BYTES)).isEqualTo(relay.batchBytes());
    assertThat(NOTHING_GIVEN.get(RelaySettings.BATCHES_IN_FLIGHT))
        .isEqualTo(relay.batchesInFlight());
    assertThat(NOTHING_GIVEN.get(RelaySettings.POLL_INTERVAL)).isEqualTo(relay.pollInterval());
    assertThat(NOTHING_GIVEN.get(RelaySettings.LEASE)).isEqualTo(relay.lease());
    assertThat(NOTHING_GIVEN.get(RelaySettings.DRAIN_TIMEOUT)).isEqualTo(relay.drainTimeout());
    assertThat(NOTHING_GIVEN.get(RelaySettings.ORDERING)).isEqualTo(relay.ordering());
    assertThat(NOTHING_GIVEN.get(RelaySettings.GIVE_UP_AFTER)).isZero();
    assertThat(relay.giveUpAfter()).isNull();
    assertThat(NOTHING_GIVEN.get(RelaySettings.WAIT_FOR_STANDBYS)).isZero();
    assertThat(NOTHING_GIVEN.find(RelaySettings.STANDBY_NAMES)).isEmpty();
    assertThat(relay.standbys()).isNull();
  }

  @Test
  void everySettingSaysWhatItIs() {
    assertThat(ServerSettings.ALL)
        .allSatisfy(setting -> assertThat(setting.description()).endsWith("."));
  }
}
