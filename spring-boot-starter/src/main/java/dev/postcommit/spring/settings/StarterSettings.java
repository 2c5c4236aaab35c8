package dev.postcommit.spring.settings;

import dev.postcommit.settings.BrokerSettings;
import dev.postcommit.settings.BrokerSettings.BrokerName;
import dev.postcommit.settings.ConsumerSettings;
import dev.postcommit.settings.Readers;
import dev.postcommit.settings.Setting;
import dev.postcommit.settings.Setting.Group;
import dev.postcommit.settings.SettingsMetadata;
import dev.postcommit.settings.SharedSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** All settings of an application: those that it shares with the server, and its own. */
public final class StarterSettings {

  public static final Setting<String> DATA_SOURCE =
      Group.DATABASE.setting(
          "data-source",
          "bean",
          Readers.text(),
          "The bean name of the data source with the tables of outbox and inbox. Required if there are several"
              + " and none is primary.");

  public static final Setting<Boolean> MIGRATE =
      Group.DATABASE.setting(
          "migrate",
          "true|false",
          "false",
          Readers.flag(),
          "Whether the application creates or upgrades the tables of outbox and inbox when it"
              + " starts; needs postcommit-flyway.");

  public static final Setting<Boolean> OUTBOX_ENABLED =
      Group.DATABASE.setting(
          "outbox-enabled",
          "true|false",
          "true",
          Readers.flag(),
          "Whether the application writes events, and so has an outbox table; false for one that"
              + " only consumes them.");

  public static final Setting<Boolean> RELAY_ENABLED =
      Group.RELAY.setting(
          "relay-enabled",
          "true|false",
          "true",
          Readers.flag(),
          "Whether a relay runs in this application if there is a Publisher.");

  /** The class path and the addresses that are given decide, so there is no default. */
  public static final Setting<BrokerName> BROKER =
      BrokerSettings.BROKER
          .withDefault(null)
          .withDescription("The broker that events go to. Required if both are configured.");

  /** All of them. */
  public static final List<Setting<?>> ALL =
      Stream.of(
              Stream.of(DATA_SOURCE, MIGRATE, OUTBOX_ENABLED, RELAY_ENABLED),
              SharedSettings.ALL.stream()
                  .<Setting<?>>map(s -> s.name().equals(BROKER.name()) ? BROKER : s),
              ConsumerSettings.ALL.stream())
          .<Setting<?>>flatMap(settings -> settings)
          .toList();

  private StarterSettings() {}

  /** Writes Spring Boot's configuration metadata of all settings to a file; the build runs it. */
  public static void main(String[] args) throws IOException {
    SettingsMetadata.write(Path.of(args[0]), ALL);
  }
}
