package dev.postcommit.testkit.pubsub;

import com.google.pubsub.v1.Subscription;

/**
 * A Google Pub/Sub service on a free port of the loopback address, for Google's own clients.
 *
 * <p>It runs in this JVM and keeps everything in memory: nothing is downloaded. If the environment
 * variable {@code PUBSUB_EMULATOR_HOST} is set, as for Google's official emulator, then nothing is
 * started and that service is used instead. Outages and errors are made by a {@link PubSubProxy}
 * before it. Safe for use by many threads.
 *
 * <p>Names of topics and subscriptions are short, as {@code orders}, for those of {@link
 * #project()}, or full, as {@code projects/p/topics/orders}.
 */
public interface PubSubServer extends AutoCloseable {

  /** Starts a service of its own. */
  static PubSubServer start() {
    return LocalPubSub.start(false);
  }

  /**
   * Starts a service of its own in this JVM, whatever the environment says: for tests that rely on
   * what the emulator does differently.
   */
  static PubSubServer startHere() {
    return LocalPubSub.inThisJvm(false);
  }

  /**
   * The service that all tests of this JVM share, started by the first call. It ends with the JVM:
   * its {@link #close()} does nothing. Tests get their isolation from topic names of their own.
   */
  static PubSubServer shared() {
    return LocalPubSub.shared();
  }

  /** Where it listens, as {@code 127.0.0.1:8085}: the value of {@code PUBSUB_EMULATOR_HOST}. */
  String emulatorHost();

  /** The id of a project that is of this server alone, even if many share one emulator. */
  String project();

  /** The full name of a topic, as {@code projects/p/topics/orders}. */
  String topicName(String topic);

  /** The full name of a subscription, as {@code projects/p/subscriptions/orders}. */
  String subscriptionName(String subscription);

  /** Creates a topic. */
  void createTopic(String topic);

  /** Deletes a topic; its subscriptions stay. */
  void deleteTopic(String topic);

  /**
   * Creates a subscription that keeps the order of messages of one ordering key, with ten seconds
   * to acknowledge. It gets what is published from now on.
   */
  default void createSubscription(String subscription, String topic) {
    createSubscription(
        Subscription.newBuilder()
            .setName(subscription)
            .setTopic(topic)
            .setAckDeadlineSeconds(10)
            .setEnableMessageOrdering(true)
            .build());
  }

  /** Creates a subscription with settings of its own. It gets what is published from now on. */
  void createSubscription(Subscription subscription);

  /** Deletes a subscription and its messages. */
  void deleteSubscription(String subscription);

  /** Ends the service, and forgets all it has; an emulator that was there before goes on. */
  @Override
  void close();
}
