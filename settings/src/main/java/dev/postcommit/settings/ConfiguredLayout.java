package dev.postcommit.settings;

import dev.postcommit.PostcommitException;
import dev.postcommit.RetryPolicy;
import dev.postcommit.internal.DurationText;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.LayoutFile;
import dev.postcommit.layout.Lifecycle.Log;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import dev.postcommit.layout.TableName;
import dev.postcommit.settings.TableSettings.DeadRows;
import dev.postcommit.settings.TableSettings.LayoutName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The layout that the settings describe, with its retry policy. */
public final class ConfiguredLayout {
  private ConfiguredLayout() {}

  /**
   * The layout.
   *
   * @throws SettingException if a setting is invalid or contradicts another
   */
  public static Layout of(SettingValues values) {
    Layout layout =
        values
            .find(TableSettings.LAYOUT_FILE)
            .map(file -> described(file, values))
            .orElseGet(() -> preset(values));
    if (values.get(TableSettings.ON_DELIVERY) == OnDelivery.DELETE) {
      if (layout.lifecycle() instanceof Log) {
        throw new SettingException(
            "%s is delete, and rows of the log layout are not deleted one by one but go with their partition after the retention period; leave %1$s out, and %s"
                .formatted(
                    values.name(TableSettings.ON_DELIVERY),
                    values.howToSet(RelaySettings.RETENTION)));
      }
      layout = layout.deletingOnDelivery();
    }
    return deadRows(layout, values).withRetryPolicy(retryPolicy(layout, values));
  }

  /**
   * Refuses a modkit table without a limit of attempts, which that layout does not imply.
   *
   * @throws SettingException if {@code max-attempts} is required and not given
   */
  public static void checkAttempts(SettingValues values) {
    if (values.get(TableSettings.LAYOUT) == LayoutName.MODKIT
        && !values.isGiven(RelaySettings.MAX_ATTEMPTS)) {
      throw new SettingException(
          "%s must be given for the modkit layout; %s"
              .formatted(
                  values.name(RelaySettings.MAX_ATTEMPTS),
                  values.howToSet(RelaySettings.MAX_ATTEMPTS)));
    }
  }

  private static Layout described(Path file, SettingValues values) {
    String why = values.name(TableSettings.LAYOUT_FILE) + " defines the table and its layout";
    values.refuse(TableSettings.LAYOUT, why);
    values.refuse(TableSettings.TABLE, why);
    try {
      return LayoutFile.read(file);
    } catch (IllegalArgumentException | PostcommitException e) {
      throw values.invalid(TableSettings.LAYOUT_FILE, e);
    }
  }

  private static Layout preset(SettingValues values) {
    Optional<TableName> table = values.find(TableSettings.TABLE);
    return switch (values.get(TableSettings.LAYOUT)) {
      case NATIVE -> table.map(Layout::nativeTable).orElseGet(Layout::nativeTable);
      case LOG -> table.map(Layout::log).orElseGet(Layout::log);
      case MODKIT -> table.map(Layout::modkit).orElseGet(Layout::modkit);
      case LOGISTIK -> table.map(Layout::logistik).orElseGet(Layout::logistik);
      case PACKFINDERZ -> table.map(Layout::packFinderz).orElseGet(Layout::packFinderz);
      case POLYSHOP -> table.map(Layout::polyShop).orElseGet(Layout::polyShop);
    };
  }

  private static Layout deadRows(Layout layout, SettingValues values) {
    @Nullable DeadRows fate = values.find(TableSettings.DEAD_ROWS).orElse(null);
    if (fate == null) {
      return layout;
    }
    if (layout.lifecycle() instanceof ProcessedFlag flag) {
      return layout.withLifecycle(
          new ProcessedFlag(fate == DeadRows.MARK_PROCESSED, flag.onDelivery()));
    }
    throw new SettingException(
        "%s is for layouts with a processed flag, such as polyshop; the %s layout has none, leave it out"
            .formatted(values.name(TableSettings.DEAD_ROWS), layout.name()));
  }

  private static RetryPolicy retryPolicy(Layout layout, SettingValues values) {
    RetryPolicy usual = layout.retryPolicy();
    Duration base = values.find(RelaySettings.RETRY_BASE_DELAY).orElse(usual.baseDelay());
    Duration longest = values.find(RelaySettings.RETRY_MAX_DELAY).orElse(usual.maxDelay());
    if (base.compareTo(longest) > 0) {
      throw new SettingException(
          "%s (%s) must be at most %s (%s)"
              .formatted(
                  values.name(RelaySettings.RETRY_BASE_DELAY),
                  DurationText.show(base),
                  values.name(RelaySettings.RETRY_MAX_DELAY),
                  DurationText.show(longest)));
    }
    return new RetryPolicy(
        values.find(RelaySettings.MAX_ATTEMPTS).orElse(usual.maxAttempts()),
        base,
        longest,
        usual.jitter());
  }
}
