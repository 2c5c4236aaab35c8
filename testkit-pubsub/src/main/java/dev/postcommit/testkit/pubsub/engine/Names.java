package dev.postcommit.testkit.pubsub.engine;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a resource may be called. */
final class Names {

  /** What a subscription shows for its topic once that is deleted. */
  static final String DELETED_TOPIC = "_deleted-topic_";

  private static final Pattern PROJECT = Pattern.compile("projects/[^/]+");
  private static final Pattern RESOURCE = Pattern.compile("projects/[^/]+/(\\w+)/([^/]*)");
  private static final Pattern ID = Pattern.compile("[a-zA-Z][a-zA-Z0-9\\-._~+%]{2,254}");

  private Names() {}

  /** Refuses what is not {@code projects/p/topics/t}. */
  static String topic(String name) {
    return checked("topics", name);
  }

  /** Refuses what is not {@code projects/p/subscriptions/s}. */
  static String subscription(String name) {
    return checked("subscriptions", name);
  }

  /** Refuses what is not {@code projects/p}. */
  static String project(String name) {
    if (!PROJECT.matcher(name).matches()) {
      throw Refusals.invalid("Invalid project name: \"" + name + "\"; it must be projects/p.");
    }
    return name;
  }

  private static String checked(String collection, String name) {
    Matcher matcher = RESOURCE.matcher(name);
    if (!matcher.matches() || !matcher.group(1).equals(collection)) {
      throw Refusals.invalid(
          "Invalid resource name: \"%s\"; it must be projects/p/%s/name."
              .formatted(name, collection));
    }
    String id = matcher.group(2);
    if (!ID.matcher(id).matches() || id.startsWith("goog")) {
      throw Refusals.invalid(
          ("Invalid resource name: \"%s\"; its last part must start with a letter, have 3 to 255"
                  + " letters, digits or -._~+%% and not begin with \"goog\".")
              .formatted(name));
    }
    return name;
  }
}
