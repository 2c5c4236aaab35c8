package dev.postcommit.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.Ordering;
import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.TableName;
import dev.postcommit.settings.BrokerSettings;
import dev.postcommit.settings.RelaySettings;
import dev.postcommit.settings.Setting;
import dev.postcommit.settings.SettingException;
import dev.postcommit.settings.TableSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {

  @TempDir private Path directory;

  private Settings read(Map<String, String> flags, Map<String, String> environment) {
    return Settings.read(flags, null, environment, directory);
  }

  private <T> T flag(Setting<T> setting, String text) {
    return read(Map.of(setting.name(), text), Map.of()).get(setting);
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content);
  }

  @Test
  void aFlagGoesBeforeTheEnvironmentAndTheEnvironmentBeforeTheFile() throws IOException {
    file("postcommit.properties", "postcommit.lease=10s\npostcommit.batch.size=10\n");
    Map<String, String> environment = Map.of("POSTCOMMIT_LEASE", "20s");

    assertThat(read(Map.of(), Map.of()).get(RelaySettings.LEASE)).hasSeconds(10);
    assertThat(read(Map.of(), environment).get(RelaySettings.LEASE)).hasSeconds(20);
    Settings all = read(Map.of("lease", "40s"), environment);
    assertThat(all.get(RelaySettings.LEASE)).hasSeconds(40);
    assertThat(all.get(RelaySettings.BATCH_SIZE)).isEqualTo(10);
  }

  @Test
  void theFileIsNamedByTheFlagElseByTheEnvironmentElseByTheWorkingDirectory() throws IOException {
    file("postcommit.properties", "postcommit.lease=10s\n");
    file("by-environment.properties", "postcommit.lease=20s\n");
    Path byFlag = file("by-flag.properties", "postcommit.lease=40s\n");
    Map<String, String> environment = Map.of("POSTCOMMIT_CONFIG", "by-environment.properties");

    assertThat(read(Map.of(), environment).get(RelaySettings.LEASE)).hasSeconds(20);
    Settings all = Settings.read(Map.of(), byFlag, environment, directory);
    assertThat(all.get(RelaySettings.LEASE)).hasSeconds(40);
  }

  @Test
  void aNamedFileMustBeThere() {
    assertThatThrownBy(() -> Settings.read(Map.of(), Path.of("none"), Map.of(), directory))
        .isInstanceOf(SettingException.class)
        .hasMessageMatching("there is no file .*none \\(from --config\\)");
  }

  @Test
  void anUnknownPropertyIsRefusedWithTheClosestKnownOne() throws IOException {
    file("postcommit.properties", "postcommit.leese=10s\n");
    assertThatThrownBy(() -> read(Map.of(), Map.of()))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("unknown setting postcommit.leese in ")
        .hasMessageEndingWith("did you mean postcommit.lease?");
  }

  @Test
  void anUnknownVariableIsRefusedWithTheClosestKnownOne() {
    assertThatThrownBy(() -> read(Map.of(), Map.of("POSTCOMMIT_DATABASE_URI", "x", "PATH", "y")))
        .isInstanceOf(SettingException.class)
        .hasMessage(
            "unknown environment variable POSTCOMMIT_DATABASE_URI; did you mean"
                + " POSTCOMMIT_DATABASE_URL?");
  }

  @Test
  void theVariableOfTheBuildIsNoSetting() {
    Settings settings =
        read(Map.of(), Map.of("POSTCOMMIT_TEST_ALL", "true", "POSTCOMMIT_ORDERING", "none"));
    assertThat(settings.get(RelaySettings.ORDERING)).isEqualTo(Ordering.NONE);
  }

  @Test
  void anInvalidValueIsNamedWithItsSource() throws IOException {
    file("postcommit.properties", "postcommit.batch.size=0\n");
    Settings settings = read(Map.of("lease", "5x"), Map.of("POSTCOMMIT_ORDERING", "per_key"));

    assertThatThrownBy(() -> settings.get(RelaySettings.LEASE))
        .hasMessage(
            "--lease: '5x' is not a duration; write 500ms, 30s, 5m, 2h, 30d or ISO as PT30S");
    assertThatThrownBy(() -> settings.get(RelaySettings.ORDERING))
        .hasMessage(
            "POSTCOMMIT_ORDERING: 'per_key' is not one of per-key, none; did you mean per-key?");
    assertThatThrownBy(() -> settings.get(RelaySettings.BATCH_SIZE))
        .hasMessageStartingWith("postcommit.batch.size in ")
        .hasMessageEndingWith(": '0' is not a whole number from 1 to 10000");
  }

  @Test
  void whatIsMissingIsNamedInAllItsForms() {
    assertThatThrownBy(() -> read(Map.of(), Map.of()).get(DatabaseSettings.DATABASE_URL))
        .hasMessage(
            "database-url is not set; give --database-url, set POSTCOMMIT_DATABASE_URL, or put"
                + " postcommit.database-url into a file");
  }

  @Test
  void aSecretIsNotShownEvenIfItIsInvalid() {
    Settings settings = read(Map.of(), Map.of("POSTCOMMIT_KAFKA_CONFIG", "hunter2"));
    assertThatThrownBy(() -> settings.get(BrokerSettings.KAFKA_CONFIG))
        .hasMessage("POSTCOMMIT_KAFKA_CONFIG: the value is not name=value");
  }

  @Test
  void anEmptyVariableIsAsGoodAsNone() {
    Settings settings = read(Map.of(), Map.of("POSTCOMMIT_LEASE", ""));
    assertThat(settings.isGiven(RelaySettings.LEASE)).isFalse();
    assertThat(settings.get(RelaySettings.LEASE)).hasSeconds(30);
  }

  @Test
  void specialValuesAreRead() {
    assertThat(flag(RelaySettings.RETENTION, "off")).isZero();
    assertThat(flag(RelaySettings.RETENTION, "0")).isZero();
    assertThat(flag(RelaySettings.RETENTION, "12h")).isEqualTo(Duration.ofHours(12));
    assertThat(flag(RelaySettings.STANDBY_NAMES, "Replica1, replica2"))
        .containsExactly("replica1", "replica2");
    assertThat(flag(RelaySettings.GIVE_UP_AFTER, "off")).isZero();
    assertThat(flag(RelaySettings.GIVE_UP_AFTER, "2h")).isEqualTo(Duration.ofHours(2));
    assertThat(flag(RelaySettings.MAX_ATTEMPTS, "unlimited")).isEqualTo(RetryPolicy.UNLIMITED);
    assertThat(flag(RelaySettings.BATCH_BYTES, "512KiB")).isEqualTo(512 * 1024);
    assertThat(flag(RelaySettings.BATCH_BYTES, "1000")).isEqualTo(1000);
    assertThat(flag(TableSettings.TABLE, "billing.outbox"))
        .isEqualTo(new TableName("billing", "outbox"));
    assertThat(flag(BrokerSettings.KAFKA_CONFIG, "a=1\nb=x=y"))
        .isEqualTo(Map.of("a", "1", "b", "x=y"));
  }

  @Test
  void valuesOutOfRangeAreRefused() {
    assertThatThrownBy(() -> flag(RelaySettings.BATCHES_IN_FLIGHT, "65"))
        .hasMessageContaining("'65' is not a whole number from 1 to 64");
    assertThatThrownBy(() -> flag(RelaySettings.LEASE, "0s"))
        .hasMessageContaining("'0s' is shorter than 1ms");
    assertThatThrownBy(() -> flag(RelaySettings.GIVE_UP_AFTER, "0s"))
        .hasMessageContaining("give-up-after: '0s' is shorter than 1s; 'off' is for ever");
    assertThatThrownBy(() -> flag(RelaySettings.GIVE_UP_AFTER, "soon"))
        .hasMessageContaining("give-up-after: 'soon' is not a duration")
        .hasMessageContaining("; 'off' is for ever");
    assertThatThrownBy(() -> flag(RelaySettings.BATCH_BYTES, "0"))
        .hasMessageContaining("'0' is not a number of bytes above zero");
    assertThatThrownBy(() -> flag(RelaySettings.TENANT, "me")).hasMessageContaining("not a UUID");
    assertThatThrownBy(() -> flag(TableSettings.TABLE, "a b")).hasMessageContaining("table name");
    assertThatThrownBy(() -> flag(DatabaseSettings.DATABASE_URL, "postgres://h/db"))
        .hasMessageContaining("write jdbc:postgresql://host:5432/database");
  }
}
