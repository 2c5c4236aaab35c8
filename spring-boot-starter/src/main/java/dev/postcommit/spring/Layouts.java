package dev.postcommit.spring;

import dev.postcommit.PostcommitException;
import dev.postcommit.RetryPolicy;
import dev.postcommit.internal.DurationText;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.LayoutFile;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import dev.postcommit.layout.TableName;
import dev.postcommit.spring.PostcommitSettings.DeadRows;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The layout that the settings speak of. */
final class Layouts {
  private static final Duration MILLISECOND = Duration.ofMillis(1);

  private Layouts() {}

  static Layout of(PostcommitSettings settings, Given given) {
    Layout layout =
        settings.layoutFile() == null ? preset(settings) : described(settings.layoutFile(), given);
    if (layout.settings().requiresMaxAttempts() && settings.maxAttempts() == null) {
      throw new SetupException(
          "postcommit.max-attempts must be given for the %s layout".formatted(layout.name()),
          "set it to the number of deliveries after which an event is dead, or to unlimited");
    }
    if (settings.onDelivery() == OnDelivery.DELETE) {
      given.refuse(
          "retention", "postcommit.on-delivery is delete, so that no row is kept", "leave it out");
      if (layout.isLog()) {
        throw Given.invalid(
            "on-delivery",
            settings.onDelivery(),
            "rows of the log layout go with their partition after the retention time; leave it out,"
                + " and set postcommit.retention");
      }
      layout = layout.deletingOnDelivery();
    }
    return deadRows(layout, settings).withRetryPolicy(retryPolicy(layout, settings));
  }

  private static Layout described(String file, Given given) {
    String why = "postcommit.layout-file says what it would";
    given.refuse("layout", why, "leave one of them out");
    given.refuse("table", why, "leave one of them out");
    try {
      return LayoutFile.read(Path.of(file));
    } catch (IllegalArgumentException | PostcommitException e) {
      throw Given.invalid("layout-file", file, String.valueOf(e.getMessage()));
    }
  }

  private static Layout preset(PostcommitSettings settings) {
    Optional<TableName> table = Optional.ofNullable(settings.table()).map(Layouts::table);
    String name = settings.layout().name().toLowerCase(Locale.ROOT);
    return table.map(other -> Layout.preset(name, other)).orElseGet(() -> Layout.preset(name));
  }

  private static TableName table(String text) {
    try {
      return TableName.of(text);
    } catch (IllegalArgumentException e) {
      throw Given.invalid(
          "table", text, "it is not table or schema.table of letters, digits and _");
    }
  }

  private static Layout deadRows(Layout layout, PostcommitSettings settings) {
    @Nullable DeadRows fate = settings.deadRows();
    if (fate == null) {
      return layout;
    }
    if (layout.lifecycle().processedFlag().isEmpty()) {
      throw Given.invalid(
          "dead-rows",
          fate,
          "it is for layouts with a processed flag, and the %s layout has none; leave it out"
              .formatted(layout.name()));
    }
    return layout.withLifecycle(
        new ProcessedFlag(fate == DeadRows.MARK_PROCESSED, layout.lifecycle().onDelivery()));
  }

  private static RetryPolicy retryPolicy(Layout layout, PostcommitSettings settings) {
    RetryPolicy usual = layout.retryPolicy();
    Duration base = delay("retry-base-delay", settings.retryBaseDelay(), usual.baseDelay());
    Duration longest = delay("retry-max-delay", settings.retryMaxDelay(), usual.maxDelay());
    if (base.compareTo(longest) > 0) {
      throw Given.invalid(
          "retry-base-delay",
          DurationText.show(base),
          "it is longer than postcommit.retry-max-delay (%s)"
              .formatted(DurationText.show(longest)));
    }
    return new RetryPolicy(
        settings.maxAttempts() == null
            ? usual.maxAttempts()
            : Values.attempts("max-attempts", settings.maxAttempts()),
        base,
        longest,
        usual.jitter());
  }

  private static Duration delay(String name, @Nullable Duration given, Duration usual) {
    return given == null ? usual : Values.atLeast(name, given, MILLISECOND);
  }
}
