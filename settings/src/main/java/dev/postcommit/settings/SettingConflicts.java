package dev.postcommit.settings;

import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import dev.postcommit.settings.BrokerSettings.BrokerName;
import java.util.List;

/** Refuses settings of a relay that are without effect because of other settings. */
public final class SettingConflicts {
  private SettingConflicts() {}

  /**
   * Checks the settings of one relay.
   *
   * @param broker the broker that its events go to
   * @throws SettingException if two of them contradict each other
   */
  public static void check(SettingValues values, Layout layout, BrokerName broker) {
    if (values.get(TableSettings.ON_DELIVERY) == OnDelivery.DELETE) {
      values.refuse(
          RelaySettings.RETENTION,
          values.name(TableSettings.ON_DELIVERY) + " is delete, so that no row is kept",
          TableSettings.ON_DELIVERY,
          "keep");
    }
    if (layout.isLog()) {
      String why = "a table of the log layout is read as a whole, by one relay";
      values.refuse(RelaySettings.NAMESPACE, why, TableSettings.LAYOUT, "native");
      values.refuse(RelaySettings.TENANT, why, TableSettings.LAYOUT, "native");
    }
    if (broker != BrokerName.KAFKA) {
      values.refuse(
          BrokerSettings.KAFKA_TRANSACTIONAL_ID,
          "%s is %s, which has no such transactions"
              .formatted(values.name(BrokerSettings.BROKER), Setting.word(broker)),
          BrokerSettings.BROKER,
          "kafka");
    }
    if (!layout.isLog()) {
      values.refuse(
          BrokerSettings.KAFKA_TRANSACTIONAL_ID,
          "the %s layout has no checkpoint that a transaction could record"
              .formatted(layout.name()),
          TableSettings.LAYOUT,
          "log");
    }
    checkStandbys(values);
  }

  private static void checkStandbys(SettingValues values) {
    int count = values.get(RelaySettings.WAIT_FOR_STANDBYS);
    if (count == 0) {
      values.refuse(
          RelaySettings.STANDBY_NAMES,
          values.name(RelaySettings.WAIT_FOR_STANDBYS) + " is 0",
          RelaySettings.WAIT_FOR_STANDBYS,
          "1");
      return;
    }
    int names = values.find(RelaySettings.STANDBY_NAMES).orElse(List.of()).size();
    if (names < count) {
      throw new SettingException(
          "%s is %d, and %s has %d %s; %s"
              .formatted(
                  values.name(RelaySettings.WAIT_FOR_STANDBYS),
                  count,
                  values.name(RelaySettings.STANDBY_NAMES),
                  names,
                  names == 1 ? "name" : "names",
                  values.howToSet(RelaySettings.STANDBY_NAMES)));
    }
  }
}
