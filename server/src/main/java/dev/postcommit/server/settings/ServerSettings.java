package dev.postcommit.server.settings;

import dev.postcommit.settings.BrokerSettings;
import dev.postcommit.settings.MessageSettings;
import dev.postcommit.settings.Readers;
import dev.postcommit.settings.RelaySettings;
import dev.postcommit.settings.Setting;
import dev.postcommit.settings.Setting.Group;
import dev.postcommit.settings.SettingsMetadata;
import dev.postcommit.settings.SharedSettings;
import dev.postcommit.settings.TableSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** All settings of the server, and those of each command. */
public final class ServerSettings {

  public static final Setting<Path> KAFKA_CONFIG_FILE =
      Group.BROKER.setting(
          "kafka-config-file",
          "file",
          Readers.path(),
          "A file of properties of Kafka's clients; kafka-config takes precedence over it.");

  /** Those of a relay, in the order of help. */
  public static final List<Setting<?>> RELAY_SETTINGS =
      join(
          List.of(
              DatabaseSettings.ALL,
              SharedSettings.ALL.stream()
                  .flatMap(
                      setting ->
                          setting.equals(BrokerSettings.KAFKA_CONFIG)
                              ? Stream.of(setting, KAFKA_CONFIG_FILE)
                              : Stream.of(setting))
                  .toList()));

  /** All of them, in the order of help. */
  public static final List<Setting<?>> ALL = join(List.of(RELAY_SETTINGS, ProcessSettings.ALL));

  /**
   * Those with which a command finds the table and tells its rows apart; in the packfinderz layout,
   * the number of attempts decides whether a row is dead.
   */
  public static final List<Setting<?>> TABLE_SETTINGS =
      join(
          List.of(
              DatabaseSettings.ALL,
              List.of(
                  TableSettings.TABLE,
                  TableSettings.LAYOUT,
                  TableSettings.LAYOUT_FILE,
                  RelaySettings.MAX_ATTEMPTS)));

  /** Those with which any command reaches Kafka. */
  public static final List<Setting<?>> KAFKA_SETTINGS =
      List.of(
          BrokerSettings.KAFKA_BOOTSTRAP_SERVERS, BrokerSettings.KAFKA_CONFIG, KAFKA_CONFIG_FILE);

  /** Those of a command that also checks the broker, and the topics of a fixed route. */
  public static final List<Setting<?>> STATUS_SETTINGS =
      join(
          List.of(
              TABLE_SETTINGS,
              List.of(MessageSettings.ROUTE, BrokerSettings.BROKER),
              KAFKA_SETTINGS,
              BrokerSettings.PUBSUB));

  /** Those that decide which privileges are needed. */
  public static final List<Setting<?>> GRANTS_SETTINGS =
      List.of(
          TableSettings.TABLE,
          TableSettings.LAYOUT,
          TableSettings.LAYOUT_FILE,
          TableSettings.ON_DELIVERY,
          TableSettings.DEAD_ROWS,
          RelaySettings.RETENTION,
          RelaySettings.WAIT_FOR_STANDBYS);

  private static final Setting<?> SETTINGS_OF_A_RELAY =
      Group.PROCESS.setting(
          "relay",
          "name",
          Readers.typed(Map.class, text -> Map.of()),
          "The settings of one of several relays, after its name and a dot.");

  private ServerSettings() {}

  /** Writes Spring Boot's configuration metadata of all settings to a file; the build runs it. */
  public static void main(String[] args) throws IOException {
    SettingsMetadata.write(Path.of(args[0]), join(List.of(ALL, List.of(SETTINGS_OF_A_RELAY))));
  }

  private static List<Setting<?>> join(List<List<Setting<?>>> lists) {
    return lists.stream().<Setting<?>>flatMap(List::stream).toList();
  }
}
