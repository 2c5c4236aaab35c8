package dev.postcommit.server.relay;

import dev.postcommit.layout.Layout;
import dev.postcommit.server.settings.BrokerSettings;
import dev.postcommit.server.settings.BrokerSettings.BrokerName;
import dev.postcommit.server.settings.Setting;
import dev.postcommit.server.settings.SettingException;
import dev.postcommit.server.settings.Settings;
import java.util.List;
import java.util.Optional;

/** Refuses transactional ids of Kafka's that nothing good could come of. */
final class TransactionalIds {
  private static final Setting<String> ID = BrokerSettings.KAFKA_TRANSACTIONAL_ID;

  private TransactionalIds() {}

  /**
   * Refuses an id where there are no transactions: with any layout but the log, or broker but
   * Kafka.
   */
  static void check(Settings settings, Layout layout) {
    Optional<String> id = settings.find(ID);
    if (id.isEmpty()) {
      return;
    }
    BrokerName broker = settings.get(BrokerSettings.BROKER);
    if (broker != BrokerName.KAFKA) {
      throw refused(
          id.get(),
          "broker is %s, which has no such transactions".formatted(Setting.word(broker)),
          "--broker kafka");
    }
    if (!layout.isLog()) {
      throw refused(
          id.get(),
          "the %s layout has no checkpoint that a transaction could record"
              .formatted(layout.name()),
          "--layout log");
    }
  }

  private static SettingException refused(String id, String why, String instead) {
    return new SettingException(
        "%s is '%s', and %s; leave %1$s out, or give %s".formatted(ID.name(), id, why, instead));
  }

  /** Refuses the last plan if another has its id: each relay would end the other's transactions. */
  static void checkLast(List<RelayPlan> plans) {
    RelayPlan last = plans.get(plans.size() - 1);
    Optional<String> id = last.settings().find(ID);
    for (RelayPlan other : plans.subList(0, plans.size() - 1)) {
      if (id.isPresent() && id.equals(other.settings().find(ID))) {
        throw new SettingException(
            "relays %s and %s both have the %s '%s', and each would end the transactions of the"
                    .formatted(other.name(), last.name(), ID.name(), id.get())
                + " other; give each one of its own, as %s and %s"
                    .formatted(property(other), property(last)));
      }
    }
  }

  private static String property(RelayPlan plan) {
    return ID.property()
        .replace(Setting.PROPERTY_PREFIX, Setting.PROPERTY_PREFIX + "relay." + plan.name() + ".");
  }
}
