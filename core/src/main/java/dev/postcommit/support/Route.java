package dev.postcommit.support;

import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Router;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where events go, as a setting says it.
 *
 * @param text the setting
 * @param router what it stands for, or null for the registry
 */
public record Route(String text, @Nullable Router router) {
  private static final List<String> FORMS =
      List.of("recorded", "type", "namespaced", "fixed:<topic>", "template:<text>", "registry");
  private static final String FIXED = "fixed:";
  private static final String TEMPLATE = "template:";
  private static final String SEPARATOR = ".";

  /**
   * Reads a route.
   *
   * @throws IllegalArgumentException saying what a good one looks like
   */
  public static Route read(String text) {
    if (text.startsWith(FIXED) || text.startsWith(TEMPLATE)) {
      return new Route(text, named(text));
    }
    return new Route(
        text,
        switch (text) {
          case "recorded" -> Router.recorded();
          case "type" -> Router.type();
          case "namespaced" -> Router.namespaced(SEPARATOR);
          case "registry" -> null;
          default ->
              throw new IllegalArgumentException(
                  "is not one of " + String.join(", ", FORMS) + Suggestion.didYouMean(text, FORMS));
        });
  }

  private static Router named(String text) {
    try {
      return text.startsWith(FIXED)
          ? Router.fixed(text.substring(FIXED.length()))
          : Router.template(text.substring(TEMPLATE.length()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("is not a route: " + e.getMessage(), e);
    }
  }

  /** The route that a layout has unless another is given. */
  public static Route usual(Layout layout) {
    String text = layout.settings().value("route", "recorded");
    try {
      return read(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "setting.route of the %s layout: '%s' %s".formatted(layout.name(), text, e.getMessage()),
          e);
    }
  }

  /** The topics that events go to for certain, whatever they are like. */
  public List<String> topics() {
    return text.startsWith(FIXED) ? List.of(text.substring(FIXED.length())) : List.of();
  }

  /** The setting's text. */
  @Override
  public String toString() {
    return text;
  }
}
