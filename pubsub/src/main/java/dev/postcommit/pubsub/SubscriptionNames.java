package dev.postcommit.pubsub;

/** Full names of topics and subscriptions, {@code projects/…/topics/…}, and what they tell. */
final class SubscriptionNames {
  private SubscriptionNames() {}

  /**
   * A full name, if it is one.
   *
   * @param setting what has the name, for the error
   * @param kind {@code topics} or {@code subscriptions}
   * @throws IllegalArgumentException if it is none
   */
  static String check(String setting, String kind, String fullName) {
    if (!fullName.matches("projects/[^/]+/" + kind + "/[A-Za-z][A-Za-z0-9._~+%-]{2,254}")) {
      throw new IllegalArgumentException(
          ("%s is %s, which cannot be; give its id, of at least 3 letters, digits and -._~+%%"
                  + " beginning with a letter, or projects/PROJECT/%s/ID")
              .formatted(setting, fullName, kind));
    }
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
