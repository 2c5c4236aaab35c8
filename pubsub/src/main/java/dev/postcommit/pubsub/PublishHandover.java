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
 * Messages that are kept until all are there, and then go in one chain per topic and key. Those
 * without a key need not wait for each other, so every request of them is a chain.
 */
final class PublishHandover implements Handover {
  private final PublishSettings settings;
  private final PublishClient client;
  private final TopicCheck topics;
  private final PublishTurns turns;
  private final Map<Group, List<Outgoing>> groups = new LinkedHashMap<>();
  private final List<CompletableFuture<Delivery>> outcomes = new ArrayList<>();
  private final List<PublishChain> chains = new ArrayList<>();
  private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
  private @Nullable Delivery refusal;

  /** Messages that are sent together; the key is empty if they have none. */
  private record Group(String topic, String key) {}

  PublishHandover(
      PublishSettings settings, PublishClient client, TopicCheck topics, PublishTurns turns) {
    this.settings = settings;
    this.client = client;
    this.topics = topics;
    this.turns = turns;
  }

  @Override
  public synchronized CompletionStage<Delivery> send(Message message) {
    if (refusal != null) {
      return CompletableFuture.completedFuture(refusal);
    }
    String topic = settings.connection().topic(message.topic());
    PubsubMessage content = PublishRequests.message(message);
    @Nullable Delivery unfit = PublishRequests.unfit(topic, content);
    if (unfit != null) {
      return CompletableFuture.completedFuture(unfit);
    }
    CompletableFuture<Delivery> outcome = new CompletableFuture<>();
    groups
        .computeIfAbsent(new Group(topic, content.getOrderingKey()), group -> new ArrayList<>())
        .add(new Outgoing(content, outcome));
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

  private void prepare(Group group, List<Outgoing> messages, long deadline) {
    topics.used(group.topic());
    List<List<Outgoing>> requests = PublishRequests.cut(group.topic(), messages);
    if (group.key().isEmpty()) {
      requests.forEach(request -> addChain(group.topic(), false, List.of(request), deadline));
    } else {
      addChain(group.topic(), true, requests, deadline);
    }
  }

  private void addChain(
      String topic, boolean ordered, List<List<Outgoing>> requests, long deadline) {
    chains.add(
        new PublishChain(topic, ordered, requests, deadline, settings, client, topics, turns));
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
