package dev.postcommit.server.relay;

import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Layout;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.settings.BrokerSettings;
import dev.postcommit.settings.ConfiguredMessages;
import dev.postcommit.settings.ConfiguredRelay;
import dev.postcommit.settings.MessageSettings;
import dev.postcommit.settings.RelaySettings;
import dev.postcommit.settings.Setting;
import dev.postcommit.support.DurationText;
import java.time.Duration;
import java.util.List;

/** One line with the settings in force, without secrets. */
final class RelaySummary {
  private final Settings settings;
  private final StringBuilder line = new StringBuilder();

  private RelaySummary(Settings settings) {
    this.settings = settings;
  }

  static String of(RelayPlan plan) {
    RelaySummary summary = new RelaySummary(plan.settings());
    summary.line.append("from ").append(plan.table()).append(" to ").append(plan.broker().name());
    summary.addMessages(plan.table().layout(), plan.messages());
    summary.addRelay(plan.table().layout());
    return summary.line.toString();
  }

  private void addMessages(Layout layout, ConfiguredMessages messages) {
    add("layout", layout.name());
    add("on-delivery", layout.keepsDelivered() ? "keep" : "delete");
    layout
        .lifecycle()
        .processedFlag()
        .ifPresent(flag -> add("dead-rows", flag.marksDead() ? "mark-processed" : "keep"));
    add("envelope", ConfiguredMessages.envelopeName(settings, layout));
    addIfGiven(MessageSettings.SOURCE);
    add("route", messages.route());
    addIfGiven(MessageSettings.REGISTRY_FILE);
    addIfGiven(BrokerSettings.KAFKA_TRANSACTIONAL_ID);
  }

  private void addRelay(Layout layout) {
    add("batch-size", ConfiguredRelay.batchSize(settings, layout));
    add("batch-bytes", bytes(settings.get(RelaySettings.BATCH_BYTES)));
    add(RelaySettings.BATCHES_IN_FLIGHT);
    add("poll-interval", ConfiguredRelay.pollInterval(settings, layout));
    List.of(RelaySettings.LEASE, RelaySettings.DRAIN_TIMEOUT, RelaySettings.ORDERING)
        .forEach(this::add);
    RetryPolicy retries = layout.retryPolicy();
    add("max-attempts", RelaySettings.attempts(retries.maxAttempts()));
    add("retry-base-delay", retries.baseDelay());
    add("retry-max-delay", retries.maxDelay());
    addOrOff(RelaySettings.GIVE_UP_AFTER);
    addIfGiven(RelaySettings.NAMESPACE);
    addIfGiven(RelaySettings.TENANT);
    if (layout.keepsDelivered()) {
      addOrOff(RelaySettings.RETENTION);
    }
    if (ConfiguredRelay.waitsForStandbys(settings)) {
      add(RelaySettings.WAIT_FOR_STANDBYS);
      add("standby-names", String.join(" ", settings.get(RelaySettings.STANDBY_NAMES)));
    }
  }

  private static String bytes(long count) {
    return count % (1 << 20) == 0 ? count / (1 << 20) + "MiB" : Long.toString(count);
  }

  private void add(Setting<?> setting) {
    add(setting.name(), settings.get(setting));
  }

  private void addIfGiven(Setting<?> setting) {
    if (settings.isGiven(setting)) {
      add(setting);
    }
  }

  private void addOrOff(Setting<Duration> setting) {
    Duration value = settings.get(setting);
    add(setting.name(), value.isZero() ? "off" : value);
  }

  private void add(String name, Object value) {
    Object shown = value;
    if (value instanceof Duration duration) {
      shown = DurationText.show(duration);
    } else if (value instanceof Enum<?> constant) {
      shown = Setting.word(constant);
    }
    line.append(", ").append(name).append(' ').append(shown);
  }
}
