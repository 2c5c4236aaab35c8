package dev.postcommit.settings;

import dev.postcommit.PostcommitException;
import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.LayoutFile;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import dev.postcommit.settings.TableSettings.DeadRows;
import dev.postcommit.support.DurationText;
import java.nio.file.Path;
import java.time.Duration;
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
    Layout layout = chosen(values);
    if (values.get(TableSettings.ON_DELIVERY) == OnDelivery.DELETE) {
      if (layout.isLog()) {
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
   * The preset or the layout file that is named, without regard to other settings.
   *
   * @throws SettingException if both are given, or the file is invalid
   */
  public static Layout chosen(SettingValues values) {
    return values
        .find(TableSettings.LAYOUT_FILE)
        .map(file -> described(file, values))
        .orElseGet(() -> preset(values));
  }

  /**
   * Requires a limit of attempts if the layout does.
   *
   * @throws SettingException if {@code max-attempts} is required and not given
   */
  public static void checkAttempts(SettingValues values, Layout layout) {
    if (layout.settings().requiresMaxAttempts() && !values.isGiven(RelaySettings.MAX_ATTEMPTS)) {
      throw new SettingException(
          "%s must be given for the %s layout; %s"
              .formatted(
                  values.name(RelaySettings.MAX_ATTEMPTS),
                  layout.name(),
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
    String name = values.get(TableSettings.LAYOUT);
    return values
        .find(TableSettings.TABLE)
        .map(table -> Layout.preset(name, table))
        .orElseGet(() -> Layout.preset(name));
  }

  private static Layout deadRows(Layout layout, SettingValues values) {
    @Nullable DeadRows fate = values.find(TableSettings.DEAD_ROWS).orElse(null);
    if (fate == null) {
      return layout;
    }
    if (layout.lifecycle().processedFlag().isEmpty()) {
      throw new SettingException(
          "%s is for layouts with a processed flag, such as polyshop; the %s layout has none, leave it out"
              .formatted(values.name(TableSettings.DEAD_ROWS), layout.name()));
    }
    return layout.withLifecycle(
        new ProcessedFlag(fate == DeadRows.MARK_PROCESSED, layout.lifecycle().onDelivery()));
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
