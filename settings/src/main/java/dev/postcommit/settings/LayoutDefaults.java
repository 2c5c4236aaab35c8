package dev.postcommit.settings;

import dev.postcommit.internal.Route;
import dev.postcommit.layout.Layout;
import dev.postcommit.settings.MessageSettings.EnvelopeName;
import java.time.Duration;
import java.util.Optional;

/** The values that a layout implies for settings that were not given. */
final class LayoutDefaults {
  private static final String PACKFINDERZ = "packfinderz";

  private LayoutDefaults() {}

  static EnvelopeName envelope(Layout layout) {
    return switch (layout.name()) {
      case "logistik" -> EnvelopeName.MESSAGE_ID;
      case PACKFINDERZ -> EnvelopeName.STORED;
      case "polyshop" -> EnvelopeName.BUILT;
      default -> EnvelopeName.RAW;
    };
  }

  static Route route(Layout layout) {
    return Route.usual(layout);
  }

  static Optional<Integer> batchSize(Layout layout) {
    return layout.name().equals(PACKFINDERZ) ? Optional.of(50) : Optional.empty();
  }

  static Optional<Duration> pollInterval(Layout layout) {
    return layout.name().equals(PACKFINDERZ)
        ? Optional.of(Duration.ofMillis(500))
        : Optional.empty();
  }
}
