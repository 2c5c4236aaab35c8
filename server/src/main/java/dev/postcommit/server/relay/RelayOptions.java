package dev.postcommit.server.relay;

import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.server.settings.BrokerSettings;
import dev.postcommit.server.settings.ChosenLayout;
import dev.postcommit.server.settings.Durations;
import dev.postcommit.server.settings.MessageSettings;
import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.server.settings.Setting;
import dev.postcommit.server.settings.SettingException;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.table.OutboxTable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the settings mean for a relay. */
public final class RelayOptions {
  private RelayOptions() {}

  /** Refuses a lease that could end while an event is still being sent. */
  static void checkLease(Settings settings, Broker broker, Publisher publisher) {
    Duration lease = settings.get(ServerSettings.LEASE);
    if (publisher.deliveryTimeout().compareTo(lease) >= 0) {
      throw new SettingException(
          "lease (%s) must be longer than a delivery may take (%s); a shorter one needs %s"
              .formatted(
                  Durations.show(lease),
                  Durations.show(publisher.deliveryTimeout()),
                  broker.shorterDelivery()));
    }
  }

  /** Applies the settings of a relay to its builder. */
  public static Relay.Builder apply(Settings settings, Relay.Builder builder) {
    checkPollInterval(settings);
    checkAttempts(settings);
    int standbys = settings.get(ServerSettings.WAIT_FOR_STANDBYS);
    if (standbys > 0) {
      builder.waitForStandbys(standbys, settings.get(ServerSettings.STANDBY_NAMES));
    }
    return builder
        .batchSize(settings.get(ServerSettings.BATCH_SIZE))
        .batchBytes(settings.get(ServerSettings.BATCH_BYTES))
        .batchesInFlight(settings.get(ServerSettings.BATCHES_IN_FLIGHT))
        .pollInterval(settings.get(ServerSettings.POLL_INTERVAL))
        .lease(settings.get(ServerSettings.LEASE))
        .drainTimeout(settings.get(ServerSettings.DRAIN_TIMEOUT))
        .ordering(settings.get(ServerSettings.ORDERING))
        .giveUpAfter(limit(settings.get(ServerSettings.GIVE_UP_AFTER)))
        .retention(limit(settings.get(ServerSettings.RETENTION)))
        .namespace(settings.find(ServerSettings.NAMESPACE).orElse(null))
        .tenant(settings.find(ServerSettings.TENANT).orElse(null));
  }

  /** A time that is zero if it is off. */
  private static @Nullable Duration limit(Duration time) {
    return time.isZero() ? null : time;
  }

  private static void checkPollInterval(Settings settings) {
    Duration pollInterval = settings.get(ServerSettings.POLL_INTERVAL);
    Duration lease = settings.get(ServerSettings.LEASE);
    if (pollInterval.multipliedBy(3).compareTo(lease) > 0) {
      throw new SettingException(
          "poll-interval (%s) must be at most a third of lease (%s)"
              .formatted(Durations.show(pollInterval), Durations.show(lease)));
    }
  }

  private static void checkAttempts(Settings settings) {
    Layout layout = ChosenLayout.of(settings);
    if (layout.settings().requiresMaxAttempts() && !settings.isGiven(ServerSettings.MAX_ATTEMPTS)) {
      throw new SettingException(
          "max-attempts must be given for the %s layout; %s"
              .formatted(layout.name(), ServerSettings.MAX_ATTEMPTS.howToSet()));
    }
  }

  /** One line with what is in force, without secrets. */
  static String summary(OutboxTable table, Broker broker, Messages messages, Settings settings) {
    RetryPolicy retries = table.layout().retryPolicy();
    Duration retention = settings.get(ServerSettings.RETENTION);
    StringBuilder line =
        new StringBuilder("from ").append(table).append(" to ").append(broker.name());
    add(line, "layout", table.layout().name());
    add(line, "on-delivery", table.layout().keepsDelivered() ? "keep" : "delete");
    table
        .layout()
        .lifecycle()
        .processedFlag()
        .ifPresent(flag -> add(line, "dead-rows", flag.marksDead() ? "mark-processed" : "keep"));
    add(line, "envelope", messages.envelopeName());
    settings.find(MessageSettings.SOURCE).ifPresent(value -> add(line, "source", value));
    add(line, "route", messages.route());
    settings
        .find(MessageSettings.REGISTRY_FILE)
        .ifPresent(value -> add(line, "registry-file", value));
    settings
        .find(BrokerSettings.KAFKA_TRANSACTIONAL_ID)
        .ifPresent(value -> add(line, "kafka-transactional-id", value));
    add(line, "batch-size", settings.get(ServerSettings.BATCH_SIZE));
    add(line, "batch-bytes", bytes(settings.get(ServerSettings.BATCH_BYTES)));
    add(line, "batches-in-flight", settings.get(ServerSettings.BATCHES_IN_FLIGHT));
    add(line, "poll-interval", settings.get(ServerSettings.POLL_INTERVAL));
    add(line, "lease", settings.get(ServerSettings.LEASE));
    add(line, "drain-timeout", settings.get(ServerSettings.DRAIN_TIMEOUT));
    add(line, "ordering", settings.get(ServerSettings.ORDERING));
    add(line, "max-attempts", attempts(retries.maxAttempts()));
    add(line, "retry-base-delay", retries.baseDelay());
    add(line, "retry-max-delay", retries.maxDelay());
    Duration giveUpAfter = settings.get(ServerSettings.GIVE_UP_AFTER);
    add(line, "give-up-after", giveUpAfter.isZero() ? "off" : giveUpAfter);
    settings.find(ServerSettings.NAMESPACE).ifPresent(value -> add(line, "namespace", value));
    settings.find(ServerSettings.TENANT).ifPresent(value -> add(line, "tenant", value));
    if (table.layout().keepsDelivered()) {
      add(line, "retention", retention.isZero() ? "off" : retention);
    }
    if (settings.get(ServerSettings.WAIT_FOR_STANDBYS) > 0) {
      add(line, "wait-for-standbys", settings.get(ServerSettings.WAIT_FOR_STANDBYS));
      String names = String.join(" ", settings.get(ServerSettings.STANDBY_NAMES));
      add(line, "standby-names", names);
    }
    return line.toString();
  }

  /** A limit of attempts as it is written in a setting. */
  static String attempts(int limit) {
    return limit == RetryPolicy.UNLIMITED ? "unlimited" : Integer.toString(limit);
  }

  private static String bytes(long count) {
    return count % (1 << 20) == 0 ? count / (1 << 20) + "MiB" : Long.toString(count);
  }

  private static void add(StringBuilder line, String name, Object value) {
    Object shown = value;
    if (value instanceof Duration duration) {
      shown = Durations.show(duration);
    } else if (value instanceof Enum<?> constant) {
      shown = Setting.word(constant);
    }
    line.append(", ").append(name).append(' ').append(shown);
  }
}
