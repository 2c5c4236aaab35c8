package dev.postcommit.pubsub;

import com.google.api.gax.rpc.AlreadyExistsException;
import com.google.api.gax.rpc.InvalidArgumentException;
import com.google.api.gax.rpc.NotFoundException;
import com.google.api.gax.rpc.PermissionDeniedException;
import com.google.cloud.pubsub.v1.stub.PublisherStub;
import com.google.cloud.pubsub.v1.stub.SubscriberStub;
import com.google.protobuf.Duration;
import com.google.pubsub.v1.ExpirationPolicy;
import com.google.pubsub.v1.GetTopicRequest;
import com.google.pubsub.v1.ListTopicSubscriptionsRequest;
import com.google.pubsub.v1.Subscription;
import com.google.pubsub.v1.Topic;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that dead-letter topics exist and have a subscription: a topic without one forgets
 * what it is sent. Safe for use by many threads.
 *
 * <p>Who crashes between creating the two leaves a topic without a subscription, which is found by
 * the next. Letters are sent only after both are there.
 */
final class PubSubLetterTopics {
  private static final Logger log = LoggerFactory.getLogger(PubSubLetterTopics.class);

  /** The longest that Pub/Sub keeps messages in a subscription; Google's emulator keeps less. */
  private static final Duration LONGEST =
      Duration.newBuilder().setSeconds(TimeUnit.DAYS.toSeconds(31)).build();

  /** How long what was seen is taken for true. */
  private static final long KNOWN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final PublisherStub topics;
  private final SubscriberStub subscriptions;
  private final Map<String, Long> known = new ConcurrentHashMap<>();
  private final Set<String> unseen = ConcurrentHashMap.newKeySet();

  PubSubLetterTopics(PublisherStub topics, SubscriberStub subscriptions) {
    this.topics = topics;
    this.subscriptions = subscriptions;
  }

  /**
   * Creates a topic that does not exist, and a subscription if it has none.
   *
   * @param topic its full name
   * @throws com.google.api.gax.rpc.ApiException if Pub/Sub refuses or does not answer
   */
  void require(String topic) {
    Long seen = known.get(topic);
    if (seen != null && System.nanoTime() - seen < KNOWN_NANOS) {
      return;
    }
    if (!isSeenWithSubscription(topic)) {
      subscribe(topic);
    }
    known.put(topic, System.nanoTime());
  }

  /** Looks again before the next letter to a topic, for it may have been deleted. */
  void forget(String topic) {
    known.remove(topic);
  }

  private boolean isSeenWithSubscription(String topic) {
    try {
      topics.getTopicCallable().call(GetTopicRequest.newBuilder().setTopic(topic).build());
      return hasSubscription(topic);
    } catch (NotFoundException e) {
      create(topic);
      return false;
    } catch (PermissionDeniedException e) {
      if (unseen.add(topic)) {
        log.warn(
            "topic {} for dead letters may not be looked at; see to it that it has a subscription,"
                + " without which it forgets them, or grant roles/pubsub.viewer on it",
            topic);
      }
      return true;
    }
  }

  private boolean hasSubscription(String topic) {
    return topics
            .listTopicSubscriptionsCallable()
            .call(ListTopicSubscriptionsRequest.newBuilder().setTopic(topic).setPageSize(1).build())
            .getSubscriptionsCount()
        > 0;
  }

  private void create(String topic) {
    try {
      topics.createTopicCallable().call(Topic.newBuilder().setName(topic).build());
      log.info("created topic {} for dead letters", topic);
    } catch (AlreadyExistsException e) {
      log.debug("topic {} was created by another", topic);
    }
  }

  private void subscribe(String topic) {
    Subscription.Builder wanted =
        Subscription.newBuilder()
            .setName(SubscriptionNames.subscriptionLike(topic))
            .setTopic(topic)
            .setEnableMessageOrdering(true)
            // One that says nothing of a time never expires.
            .setExpirationPolicy(ExpirationPolicy.getDefaultInstance());
    Subscription usual = wanted.build();
    try {
      subscribe(wanted.setMessageRetentionDuration(LONGEST).build());
    } catch (InvalidArgumentException e) {
      log.debug("letters cannot be kept for {} s", LONGEST.getSeconds(), e);
      subscribe(usual);
    }
  }

  private void subscribe(Subscription subscription) {
    try {
      subscriptions.createSubscriptionCallable().call(subscription);
      log.info("created subscription {} for dead letters", subscription.getName());
    } catch (AlreadyExistsException e) {
      log.debug("subscription {} was created by another", subscription.getName());
    }
  }
}
