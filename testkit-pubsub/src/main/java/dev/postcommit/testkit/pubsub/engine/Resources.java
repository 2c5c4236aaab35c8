package dev.postcommit.testkit.pubsub.engine;

import com.google.protobuf.Duration;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.Subscription;
import com.google.pubsub.v1.Topic;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All topics and subscriptions, by name. Locks are taken in the order resources, topic, backlog.
 */
final class Resources {

  private static final int DEFAULT_ACK_DEADLINE = 10;
  private static final Duration DEFAULT_RETENTION =
      Duration.newBuilder().setSeconds(7 * 24 * 3600).build();

  private final ScheduledExecutorService timer;
  private final ConcurrentNavigableMap<String, TopicState> topics = new ConcurrentSkipListMap<>();
  private final ConcurrentNavigableMap<String, SubscriptionState> subscriptions =
      new ConcurrentSkipListMap<>();
  private final AtomicLong messageIds = new AtomicLong();
  private final AtomicLong backlogs = new AtomicLong();

  Resources(ScheduledExecutorService timer) {
    this.timer = timer;
  }

  ScheduledExecutorService timer() {
    return timer;
  }

  synchronized Topic createTopic(Topic topic) {
    Names.topic(topic.getName());
    Unsupported.check(topic);
    if (topics.containsKey(topic.getName())) {
      throw Refusals.alreadyExists(topic.getName());
    }
    Topic created = topic.toBuilder().setState(Topic.State.ACTIVE).build();
    topics.put(topic.getName(), new TopicState(created));
    return created;
  }

  TopicState topic(String name) {
    TopicState topic = topics.get(Names.topic(name));
    if (topic == null) {
      throw Refusals.notFound(name);
    }
    return topic;
  }

  Collection<TopicState> topics() {
    return topics.values();
  }

  synchronized void deleteTopic(String name) {
    TopicState topic = topic(name);
    topics.remove(name);
    topic.subscriptions().forEach(SubscriptionState::topicDeleted);
  }

  List<String> publish(PublishRequest request) {
    TopicState topic = topic(request.getTopic());
    Limits.check(request);
    return topic.publish(request.getMessagesList(), messageIds);
  }

  synchronized Subscription createSubscription(Subscription subscription) {
    String name = Names.subscription(subscription.getName());
    Unsupported.check(subscription);
    int seconds = subscription.getAckDeadlineSeconds();
    Subscription.Builder created =
        subscription.toBuilder()
            .setAckDeadlineSeconds(
                seconds == 0
                    ? DEFAULT_ACK_DEADLINE
                    : Limits.ackDeadline("ack_deadline_seconds", seconds, 10))
            .setState(Subscription.State.ACTIVE);
    if (!created.hasMessageRetentionDuration()) {
      created.setMessageRetentionDuration(DEFAULT_RETENTION);
    }
    TopicState topic = topic(subscription.getTopic());
    if (subscriptions.containsKey(name)) {
      throw Refusals.alreadyExists(name);
    }
    Backlog backlog =
        new Backlog(
            Long.toString(backlogs.incrementAndGet()),
            subscription.getEnableMessageOrdering(),
            timer);
    SubscriptionState state = new SubscriptionState(created.build(), backlog);
    subscriptions.put(name, state);
    topic.add(state);
    return state.settings();
  }

  SubscriptionState subscription(String name) {
    SubscriptionState subscription = subscriptions.get(Names.subscription(name));
    if (subscription == null) {
      throw Refusals.notFound(name);
    }
    return subscription;
  }

  Collection<SubscriptionState> subscriptions() {
    return subscriptions.values();
  }

  synchronized void deleteSubscription(String name) {
    SubscriptionState subscription = subscription(name);
    subscriptions.remove(name);
    TopicState topic = topics.get(subscription.settings().getTopic());
    if (topic != null) {
      topic.remove(subscription);
    }
    subscription.backlog().close(Refusals.notFound(name));
  }
}
