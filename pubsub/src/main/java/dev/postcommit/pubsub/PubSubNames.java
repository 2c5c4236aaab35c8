package dev.postcommit.pubsub;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Full names of topics and subscriptions, {@code projects/…/topics/…}, and what they tell. */
final class PubSubNames {
  private static final Pattern NAME =
      Pattern.compile("projects/[^/\\s]+/(topic|subscription)s/[A-Za-z][A-Za-z0-9._~+%-]{2,254}");

  private PubSubNames() {}

  /**
   * What is wrong with a name, if something is.
   *
   * @param kind {@code topic} or {@code subscription}
   */
  static Optional<String> flaw(String kind, String fullName) {
    Matcher matcher = NAME.matcher(fullName);
    return matcher.matches() && matcher.group(1).equals(kind)
        ? Optional.empty()
        : Optional.of(
            "'%s' is no name of a Pub/Sub %s: a letter, and then 2 to 254 of letters, digits and - . _ ~ + %%"
                .formatted(fullName, kind));
  }

  /**
   * A full name that is one.
   *
   * @throws IllegalArgumentException if it has a flaw
   */
  static String check(String kind, String fullName) {
    flaw(kind, fullName)
        .ifPresent(
            flaw -> {
              throw new IllegalArgumentException(flaw);
            });
    return fullName;
  }

  /** The last part of a full name. */
  static String id(String fullName) {
    return fullName.substring(fullName.lastIndexOf('/') + 1);
  }

  /** The name that users know: the id of what is in the connection's project, else all of it. */
  static String known(PubSubConnection connection, String fullName) {
    return fullName.startsWith("projects/" + connection.project() + "/") ? id(fullName) : fullName;
  }

  /** The subscription of the same id and project as a topic. */
  static String subscriptionLike(String topic) {
    return topic.substring(0, topic.indexOf("/topics/")) + "/subscriptions/" + id(topic);
  }
}
