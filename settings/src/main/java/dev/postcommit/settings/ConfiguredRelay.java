package dev.postcommit.settings;

import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.store.LayoutCheck;
import dev.postcommit.support.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a relay works, as the settings say or else as the layout implies. */
public final class ConfiguredRelay {
  private ConfiguredRelay() {}

  /** The most events claimed at once. */
  public static int batchSize(SettingValues values, Layout layout) {
    return values.find(RelaySettings.BATCH_SIZE, layout).orElseThrow();
  }

  /** How often an idle relay polls. */
  public static Duration pollInterval(SettingValues values, Layout layout) {
    return values.find(RelaySettings.POLL_INTERVAL, layout).orElseThrow();
  }

  /** How long delivered rows are kept; null for ever. */
  public static @Nullable Duration retention(SettingValues values) {
    return limit(values.get(RelaySettings.RETENTION));
  }

  /** Whether events are sent only when standbys have them. */
  public static boolean waitsForStandbys(SettingValues values) {
    return values.get(RelaySettings.WAIT_FOR_STANDBYS) > 0;
  }

  /**
   * Builds a relay.
   *
   * @param builder with the layout, the messages and the listeners
   * @param shorterDelivery what makes deliveries shorter, as the end of a sentence
   * @throws SettingException if a setting is invalid or contradicts another
   */
  public static Relay build(
      SettingValues values,
      Layout layout,
      Publisher publisher,
      Relay.Builder builder,
      String shorterDelivery) {
    checkTimes(values, layout, publisher, shorterDelivery);
    ConfiguredLayout.checkAttempts(values, layout);
    if (waitsForStandbys(values)) {
      builder.waitForStandbys(
          values.get(RelaySettings.WAIT_FOR_STANDBYS), values.get(RelaySettings.STANDBY_NAMES));
    }
    builder
        .batchSize(batchSize(values, layout))
        .batchBytes(values.get(RelaySettings.BATCH_BYTES))
        .batchesInFlight(values.get(RelaySettings.BATCHES_IN_FLIGHT))
        .pollInterval(pollInterval(values, layout))
        .lease(values.get(RelaySettings.LEASE))
        .drainTimeout(values.get(RelaySettings.DRAIN_TIMEOUT))
        .ordering(values.get(RelaySettings.ORDERING))
        .giveUpAfter(limit(values.get(RelaySettings.GIVE_UP_AFTER)))
        .retention(retention(values))
        .namespace(values.find(RelaySettings.NAMESPACE).orElse(null))
        .tenant(values.find(RelaySettings.TENANT).orElse(null));
    try {
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw new SettingException(String.valueOf(e.getMessage()));
    }
  }

  /** A time that is zero if it is off. */
  private static @Nullable Duration limit(Duration time) {
    return time.isZero() ? null : time;
  }

  private static void checkTimes(
      SettingValues values, Layout layout, Publisher publisher, String shorterDelivery) {
    Duration poll = pollInterval(values, layout);
    Duration lease = values.get(RelaySettings.LEASE);
    if (poll.multipliedBy(3).compareTo(lease) > 0) {
      throw new SettingException(
          "%s (%s) must be at most a third of %s (%s)"
              .formatted(
                  values.name(RelaySettings.POLL_INTERVAL),
                  DurationText.show(poll),
                  values.name(RelaySettings.LEASE),
                  DurationText.show(lease)));
    }
    if (publisher.deliveryTimeout().compareTo(lease) >= 0) {
      throw new SettingException(
          "%s (%s) must be longer than a delivery may take (%s); a shorter one needs %s"
              .formatted(
                  values.name(RelaySettings.LEASE),
                  DurationText.show(lease),
                  DurationText.show(publisher.deliveryTimeout()),
                  shorterDelivery));
    }
  }

  /** What keeps a relay with these settings from working on a table. */
  public static List<String> problems(SettingValues values, LayoutCheck check) {
    List<String> problems = new ArrayList<>(check.relay());
    problems.addAll(check.presence());
    if (retention(values) != null) {
      problems.addAll(check.pruning());
    }
    if (waitsForStandbys(values)) {
      problems.addAll(check.standbys());
    }
    return problems;
  }
}
