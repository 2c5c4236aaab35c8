package dev.postcommit.testkit.pubsub.engine;

import com.google.protobuf.Timestamp;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.Topic;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A topic and the subscriptions that get its messages. */
final class TopicState {

  private final List<SubscriptionState> subscriptions = new ArrayList<>();
  private volatile Topic settings;

  TopicState(Topic settings) {
    this.settings = settings;
  }

  Topic settings() {
    return settings;
  }

  void settings(Topic changed) {
    settings = changed;
  }

  /** Gives every subscription the messages. One call at a time: so all see them in one order. */
  synchronized List<String> publish(List<PubsubMessage> messages, AtomicLong ids) {
    List<String> published = new ArrayList<>();
    List<PubsubMessage> complete = new ArrayList<>();
    Instant instant = Instant.now();
    Timestamp now =
        Timestamp.newBuilder()
            .setSeconds(instant.getEpochSecond())
            .setNanos(instant.getNano())
            .build();
    for (PubsubMessage message : messages) {
      String id = Long.toString(ids.incrementAndGet());
      published.add(id);
      complete.add(message.toBuilder().setMessageId(id).setPublishTime(now).build());
    }
    subscriptions.forEach(subscription -> subscription.backlog().publish(complete));
    return published;
  }

  synchronized void add(SubscriptionState subscription) {
    subscriptions.add(subscription);
  }

  synchronized void remove(SubscriptionState subscription) {
    subscriptions.remove(subscription);
  }

  synchronized List<SubscriptionState> subscriptions() {
    return List.copyOf(subscriptions);
  }
}
