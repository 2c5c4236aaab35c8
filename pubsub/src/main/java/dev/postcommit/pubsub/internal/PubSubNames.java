package dev.postcommit.pubsub.internal;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Full names of topics and subscriptions, {@code projects/…/topics/…}. */
public final class PubSubNames {
  private static final Pattern NAME =
      Pattern.compile("projects/[^/\\s]+/(topic|subscription)s/[A-Za-z][A-Za-z0-9._~+%-]{2,254}");

  private PubSubNames() {}

  /**
   * What is wrong with a name, if anything.
   *
   * @param kind {@code topic} or {@code subscription}
   */
  public static Optional<String> flaw(String kind, String fullName) {
    Matcher matcher = NAME.matcher(fullName);
    return matcher.matches() && matcher.group(1).equals(kind)
        ? Optional.empty()
        : Optional.of(
            "'%s' is no name of a Pub/Sub %s: a letter, and then 2 to 254 of letters, digits and - . _ ~ + %%"
                .formatted(fullName, kind));
  }

  /**
   * Checks a full name.
   *
   * @throws IllegalArgumentException if it is invalid
   */
  public static String check(String kind, String fullName) {
    flaw(kind, fullName)
        .ifPresent(
            flaw -> {
              throw new IllegalArgumentException(flaw);
            });
    return fullName;
  }

  /** The last part of a full name. */
  public static String id(String fullName) {
    return fullName.substring(fullName.lastIndexOf('/') + 1);
  }

  /**
   * The short name of a topic or subscription in a project, or the full name if it is in another.
   */
  public static String shortName(String project, String fullName) {
    return fullName.startsWith("projects/" + project + "/") ? id(fullName) : fullName;
  }

  /** The subscription with the same id and project as a topic. */
  public static String subscriptionLike(String topic) {
    return topic.substring(0, topic.indexOf("/topics/")) + "/subscriptions/" + id(topic);
  }
}
