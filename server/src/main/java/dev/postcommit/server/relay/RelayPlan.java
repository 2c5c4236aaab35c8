package dev.postcommit.server.relay;

import dev.postcommit.server.settings.DatabaseSettings;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.settings.BrokerSettings;
import dev.postcommit.settings.ConfiguredMessages;
import dev.postcommit.settings.RelaySettings;
import dev.postcommit.settings.Setting;
import dev.postcommit.settings.SettingConflicts;
import dev.postcommit.settings.SettingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The configuration of one relay of the process, read from the settings without connecting to
 * anything.
 *
 * @param name names the relay within the process
 * @param settings all its settings
 * @param table where events come from
 * @param messages how they become messages
 * @param broker where they go
 */
public record RelayPlan(
    String name, Settings settings, OutboxTable table, ConfiguredMessages messages, Broker broker) {

  private static final Pattern USER_IN_URL = Pattern.compile(".*[?&]user=.*");
  private static final Pattern PASSWORD_IN_URL = Pattern.compile(".*[?&]password=.*");

  /** The name of the only relay of a process. */
  private static final String ONLY = "default";

  /**
   * The plans of all relays.
   *
   * @throws SettingException if a setting is missing, invalid or contradicts another
   */
  public static List<RelayPlan> of(Settings settings, Map<String, String> environment) {
    List<String> names = settings.relays();
    if (names.isEmpty()) {
      return List.of(plan(ONLY, settings, environment));
    }
    List<RelayPlan> plans = new ArrayList<>();
    for (String name : names) {
      try {
        plans.add(plan(name, settings.relay(name), environment));
      } catch (SettingException e) {
        throw new SettingException("relay " + name + ": " + e.getMessage());
      }
      checkTables(plans);
      checkTransactionalIds(plans);
    }
    return plans;
  }

  private static RelayPlan plan(String name, Settings settings, Map<String, String> environment) {
    checkLogin(settings);
    OutboxTable table = OutboxTable.of(settings);
    SettingConflicts.check(settings, table.layout(), settings.get(BrokerSettings.BROKER));
    return new RelayPlan(
        name,
        settings,
        table,
        ConfiguredMessages.of(settings, table.layout()),
        Broker.of(settings, environment));
  }

  private static void checkLogin(Settings settings) {
    String url = settings.get(DatabaseSettings.DATABASE_URL);
    String name = settings.name(DatabaseSettings.DATABASE_URL);
    if (USER_IN_URL.matcher(url).matches()) {
      settings.refuse(DatabaseSettings.DATABASE_USER, name + " names a user");
    }
    if (PASSWORD_IN_URL.matcher(url).matches()) {
      String why = name + " has a password";
      settings.refuse(DatabaseSettings.DATABASE_PASSWORD, why);
      settings.refuse(DatabaseSettings.DATABASE_PASSWORD_FILE, why);
    }
  }

  /** Two relays of one process may share a table only by namespace or tenant. */
  private static void checkTables(List<RelayPlan> plans) {
    RelayPlan last = plans.get(plans.size() - 1);
    for (RelayPlan other : plans.subList(0, plans.size() - 1)) {
      if (last.scope().equals(other.scope())) {
        throw new SettingException(
            "relays %s and %s are both on %s; give each a table, a namespace or a tenant of its own"
                .formatted(other.name, last.name, last.table));
      }
    }
  }

  /** Relays with one transactional id would fence each other. */
  private static void checkTransactionalIds(List<RelayPlan> plans) {
    RelayPlan last = plans.get(plans.size() - 1);
    Optional<String> id = last.settings.find(BrokerSettings.KAFKA_TRANSACTIONAL_ID);
    for (RelayPlan other : plans.subList(0, plans.size() - 1)) {
      if (id.isPresent() && id.equals(other.settings.find(BrokerSettings.KAFKA_TRANSACTIONAL_ID))) {
        throw new SettingException(
            "relays %s and %s both have the kafka-transactional-id '%s', and each would end the transactions of the other; give each one of its own, as %s and %s"
                .formatted(
                    other.name,
                    last.name,
                    id.get(),
                    other.transactionalId(),
                    last.transactionalId()));
      }
    }
  }

  private String transactionalId() {
    return BrokerSettings.KAFKA_TRANSACTIONAL_ID
        .property()
        .replace(Setting.PROPERTY_PREFIX, Setting.PROPERTY_PREFIX + "relay." + name + ".");
  }

  private List<Object> scope() {
    return List.of(
        table.toString(),
        settings.find(RelaySettings.NAMESPACE),
        settings.find(RelaySettings.TENANT));
  }

  /** One line with the settings in force, without secrets. */
  String summary() {
    return RelaySummary.of(this);
  }
}
