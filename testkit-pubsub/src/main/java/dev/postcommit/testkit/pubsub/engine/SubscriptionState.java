package dev.postcommit.testkit.pubsub.engine;

import com.google.pubsub.v1.Subscription;

/** A subscription and its messages. */
final class SubscriptionState {

  private final Backlog backlog;
  private volatile Subscription settings;

  SubscriptionState(Subscription settings, Backlog backlog) {
    this.settings = settings;
    this.backlog = backlog;
  }

  Subscription settings() {
    return settings;
  }

  Backlog backlog() {
    return backlog;
  }

  void topicDeleted() {
    settings = settings.toBuilder().setTopic(Names.DELETED_TOPIC).build();
  }
}
