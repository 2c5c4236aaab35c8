package dev.postcommit.pubsub.consumer;

import com.google.api.gax.rpc.AlreadyExistsException;
import com.google.api.gax.rpc.InvalidArgumentException;
import com.google.api.gax.rpc.NotFoundException;
import com.google.api.gax.rpc.PermissionDeniedException;
import com.google.protobuf.Duration;
import com.google.pubsub.v1.ExpirationPolicy;
import com.google.pubsub.v1.GetTopicRequest;
import com.google.pubsub.v1.ListTopicSubscriptionsRequest;
import com.google.pubsub.v1.Subscription;
import com.google.pubsub.v1.Topic;
import dev.postcommit.pubsub.internal.PubSubNames;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates missing dead-letter topics and their subscriptions: a topic without a subscription loses
 * its messages. Safe for use by many threads.
 *
 * <p>A crash between creating the two leaves a topic without a subscription, which the next
 * consumer finds. Dead letters are sent only after both exist.
 */
final class PubSubDeadLetterTopics {
  private static final Logger log = LoggerFactory.getLogger(PubSubDeadLetterTopics.class);

  /** The longest that Pub/Sub keeps messages in a subscription; Google's emulator keeps less. */
  private static final Duration LONGEST =
      Duration.newBuilder().setSeconds(TimeUnit.DAYS.toSeconds(31)).build();

  /** How long the existence of a topic is remembered. */
  private static final long KNOWN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final PubSubDeadLetterClients clients;
  private final Map<String, Long> known = new ConcurrentHashMap<>();
  private final Set<String> warned = ConcurrentHashMap.newKeySet();

  PubSubDeadLetterTopics(PubSubDeadLetterClients clients) {
    this.clients = clients;
  }

  PubSubDeadLetterClients clients() {
    return clients;
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
    if (!isKnownToHaveSubscription(topic)) {
      subscribe(topic);
    }
    known.put(topic, System.nanoTime());
  }

  /** Asks again before the next dead letter to a topic, because it may have been deleted. */
  void forget(String topic) {
    known.remove(topic);
  }

  private boolean isKnownToHaveSubscription(String topic) {
    try {
      clients
          .publisher()
          .getTopicCallable()
          .call(GetTopicRequest.newBuilder().setTopic(topic).build());
      return hasSubscription(topic);
    } catch (NotFoundException e) {
      create(topic);
      return false;
    } catch (PermissionDeniedException e) {
      if (warned.add(topic)) {
        log.warn(
            "topic {} for dead letters may not be looked at; make sure that it has a subscription,"
                + " without which it loses them, or grant roles/pubsub.viewer on it",
            topic);
      }
      return true;
    }
  }

  private boolean hasSubscription(String topic) {
    return clients
            .publisher()
            .listTopicSubscriptionsCallable()
            .call(ListTopicSubscriptionsRequest.newBuilder().setTopic(topic).setPageSize(1).build())
            .getSubscriptionsCount()
        > 0;
  }

  private void create(String topic) {
    try {
      clients.publisher().createTopicCallable().call(Topic.newBuilder().setName(topic).build());
      log.info("created topic {} for dead letters", topic);
    } catch (AlreadyExistsException e) {
      log.debug("topic {} was created by another", topic);
    }
  }

  private void subscribe(String topic) {
    Subscription.Builder wanted =
        Subscription.newBuilder()
            .setName(PubSubNames.subscriptionLike(topic))
            .setTopic(topic)
            .setEnableMessageOrdering(true)
            // An empty policy means that it never expires.
            .setExpirationPolicy(ExpirationPolicy.getDefaultInstance());
    Subscription usual = wanted.build();
    try {
      subscribe(wanted.setMessageRetentionDuration(LONGEST).build());
    } catch (InvalidArgumentException e) {
      log.debug("dead letters cannot be kept for {} s", LONGEST.getSeconds(), e);
      subscribe(usual);
    }
  }

  private void subscribe(Subscription subscription) {
    try {
      clients.subscriber().createSubscriptionCallable().call(subscription);
      log.info("created subscription {} for dead letters", subscription.getName());
    } catch (AlreadyExistsException e) {
      log.debug("subscription {} was created by another", subscription.getName());
    }
  }
}
