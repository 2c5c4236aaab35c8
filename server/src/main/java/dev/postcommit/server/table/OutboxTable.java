package dev.postcommit.server.table;

import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import dev.postcommit.server.settings.ChosenLayout;
import dev.postcommit.server.settings.Durations;
import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.server.settings.ServerSettings.DeadRows;
import dev.postcommit.server.settings.SettingException;
import dev.postcommit.server.settings.Settings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The table the settings speak of, and how to reach it.
 *
 * @param url the database, secrets and all
 * @param user the user, or null to leave it to url and driver
 * @param password the password, or null for none
 * @param layout the table, its shape and its retry policy
 */
public record OutboxTable(
    String url, @Nullable String user, @Nullable String password, Layout layout) {

  public static OutboxTable of(Settings settings) {
    return new OutboxTable(
        settings.get(ServerSettings.DATABASE_URL),
        settings.find(ServerSettings.DATABASE_USER).orElse(null),
        settings
            .secret(ServerSettings.DATABASE_PASSWORD, ServerSettings.DATABASE_PASSWORD_FILE)
            .orElse(null),
        layout(settings));
  }

  /** The table alone, wherever it is. */
  public static Layout layout(Settings settings) {
    Layout layout = ChosenLayout.of(settings);
    if (settings.get(ServerSettings.ON_DELIVERY) == OnDelivery.DELETE) {
      if (layout.isLog()) {
        throw new SettingException(
            "on-delivery is delete, and rows of the log layout are not deleted one by one but go with"
                + " their partition after the retention time; leave on-delivery out, and set"
                + " retention");
      }
      layout = layout.deletingOnDelivery();
    }
    return deadRows(layout, settings).withRetryPolicy(retryPolicy(layout, settings));
  }

  private static Layout deadRows(Layout layout, Settings settings) {
    @Nullable DeadRows fate = settings.find(ServerSettings.DEAD_ROWS).orElse(null);
    if (fate == null) {
      return layout;
    }
    if (layout.lifecycle().processedFlag().isEmpty()) {
      throw new SettingException(
          "dead-rows is for layouts with a processed flag; the %s layout has none, leave it out"
              .formatted(layout.name()));
    }
    return layout.withLifecycle(
        new ProcessedFlag(fate == DeadRows.MARK_PROCESSED, layout.lifecycle().onDelivery()));
  }

  private static RetryPolicy retryPolicy(Layout layout, Settings settings) {
    RetryPolicy usual = layout.retryPolicy();
    Duration base = settings.find(ServerSettings.RETRY_BASE_DELAY).orElse(usual.baseDelay());
    Duration longest = settings.find(ServerSettings.RETRY_MAX_DELAY).orElse(usual.maxDelay());
    if (base.compareTo(longest) > 0) {
      throw new SettingException(
          "retry-base-delay (%s) must be at most retry-max-delay (%s)"
              .formatted(Durations.show(base), Durations.show(longest)));
    }
    return new RetryPolicy(
        settings.find(ServerSettings.MAX_ATTEMPTS).orElse(usual.maxAttempts()),
        base,
        longest,
        usual.jitter());
  }

  /** The url without its parameters and user, which may hold secrets. */
  public String address() {
    String plain = url.replaceFirst("[?].*", "");
    return plain.replaceFirst("//[^/]*@", "//");
  }

  /** Names the table without secrets. */
  @Override
  public String toString() {
    return layout.table() + " at " + address();
  }
}
