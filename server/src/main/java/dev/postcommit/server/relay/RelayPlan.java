package dev.postcommit.server.relay;

import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.server.settings.SettingConflicts;
import dev.postcommit.server.settings.SettingException;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.table.OutboxTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What one relay of the process is to do, as its settings say; made without asking anybody else.
 *
 * @param name names the relay within the process
 * @param settings all its settings
 * @param table where events come from
 * @param messages how they become messages
 * @param broker where they go
 */
public record RelayPlan(
    String name, Settings settings, OutboxTable table, Messages messages, Broker broker) {

  /** The name of a relay that has none because there is no other. */
  private static final String ONLY = "default";

  /**
   * The plans of all relays.
   *
   * @throws SettingException if a setting is missing, wrong or at odds with another
   */
  public static List<RelayPlan> of(Settings settings, Map<String, String> environment) {
    SettingConflicts.checkProcess(settings);
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
      TransactionalIds.checkLast(plans);
    }
    return plans;
  }

  private static RelayPlan plan(String name, Settings settings, Map<String, String> environment) {
    SettingConflicts.checkRelay(settings);
    OutboxTable table = OutboxTable.of(settings);
    TransactionalIds.check(settings, table.layout());
    return new RelayPlan(
        name,
        settings,
        table,
        Messages.of(table.layout(), settings),
        Broker.of(settings, environment));
  }

  /**
   * Two relays of one process on one table are a slip, unless they share it by namespace or tenant.
   */
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

  private List<Object> scope() {
    return List.of(
        table.toString(),
        settings.find(ServerSettings.NAMESPACE),
        settings.find(ServerSettings.TENANT));
  }

  /** One line with what is in force, without secrets. */
  String summary() {
    return RelayOptions.summary(table, broker, messages, settings);
  }
}
