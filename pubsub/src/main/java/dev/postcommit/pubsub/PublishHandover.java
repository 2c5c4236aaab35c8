package dev.postcommit.pubsub;

import com.google.pubsub.v1.PubsubMessage;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher.Handover;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Collects messages, and then sends them in one chain per topic and key. Messages without a key
 * need not wait for each other, so each request of them is a chain.
 */
final class PublishHandover implements Handover {
  private final PublishSettings settings;
  private final PublishClient client;
  private final TopicCheck topics;
  private final RequestLimiter limiter;
  private final Map<Group, List<PendingMessage>> groups = new LinkedHashMap<>();
  private final List<CompletableFuture<Delivery>> outcomes = new ArrayList<>();
  private final List<PublishChain> chains = new ArrayList<>();
  private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
  private @Nullable Delivery refusal;

  /** Messages that are sent together; the key is empty if they have none. */
  private record Group(String topic, String key) {}

  PublishHandover(
      PublishSettings settings, PublishClient client, TopicCheck topics, RequestLimiter limiter) {
    this.settings = settings;
    this.client = client;
    this.topics = topics;
    this.limiter = limiter;
  }

  @Override
  public synchronized CompletionStage<Delivery> send(Message message) {
    if (refusal != null) {
      return CompletableFuture.completedFuture(refusal);
    }
    String topic = settings.connection().topic(message.topic());
    PubsubMessage content = PublishRequests.message(message);
    @Nullable Delivery rejection = PublishRequests.rejection(topic, content);
    if (rejection != null) {
      return CompletableFuture.completedFuture(rejection);
    }
    CompletableFuture<Delivery> outcome = new CompletableFuture<>();
    groups
        .computeIfAbsent(new Group(topic, content.getOrderingKey()), group -> new ArrayList<>())
        .add(new PendingMessage(content, outcome));
    outcomes.add(outcome);
    return outcome;
  }

  @Override
  public void close() {
    synchronized (this) {
      if (refusal != null) {
        return;
      }
      refusal = new Delivery.Unavailable("the handover is closed", null);
      long deadline = System.nanoTime() + settings.deliveryTimeout().toNanos();
      groups.forEach((group, messages) -> prepare(group, messages, deadline));
      groups.clear();
    }
    var unused =
        CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new))
            .whenComplete((none, error) -> ended.complete(null));
    chains.forEach(PublishChain::advance);
  }

  private void prepare(Group group, List<PendingMessage> messages, long deadline) {
    topics.used(group.topic());
    List<List<PendingMessage>> requests = PublishRequests.split(group.topic(), messages);
    if (group.key().isEmpty()) {
      requests.forEach(request -> addChain(group.topic(), false, List.of(request), deadline));
    } else {
      addChain(group.topic(), true, requests, deadline);
    }
  }

  private void addChain(
      String topic, boolean ordered, List<List<PendingMessage>> requests, long deadline) {
    chains.add(
        new PublishChain(topic, ordered, requests, deadline, settings, client, topics, limiter));
  }

  synchronized boolean isClosed() {
    return refusal != null;
  }

  /** Completes when it is closed and all its messages have ended. */
  CompletableFuture<@Nullable Void> ended() {
    return ended;
  }

  /** Sends nothing more, and ends every message that has not ended. */
  void abandon(Delivery delivery) {
    synchronized (this) {
      refusal = delivery;
      chains.forEach(PublishChain::stop);
    }
    outcomes.forEach(outcome -> outcome.complete(delivery));
    ended.complete(null);
  }
}
