package dev.postcommit.testkit.pubsub;

import com.google.pubsub.v1.DeleteSubscriptionRequest;
import com.google.pubsub.v1.DeleteTopicRequest;
import com.google.pubsub.v1.PublisherGrpc;
import com.google.pubsub.v1.PublisherGrpc.PublisherBlockingStub;
import com.google.pubsub.v1.SubscriberGrpc;
import com.google.pubsub.v1.SubscriberGrpc.SubscriberBlockingStub;
import com.google.pubsub.v1.Subscription;
import com.google.pubsub.v1.Topic;
import dev.postcommit.testkit.process.Ports;
import dev.postcommit.testkit.pubsub.engine.PubSubEngine;
import io.grpc.ManagedChannel;
import java.io.UncheckedIOException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A service in this JVM, or an emulator that somebody else started. */
final class LocalPubSub implements PubSubServer {

  private static final int TIMEOUT_SECONDS = 20;
  private static final int ATTEMPTS = 5;

  private static @Nullable PubSubServer sharedServer;

  private final String emulatorHost;
  private final @Nullable PubSubEngine engine;
  private final boolean shared;
  private final String project = "test-" + UUID.randomUUID().toString().substring(0, 8);
  private final ManagedChannel channel;

  private LocalPubSub(String emulatorHost, @Nullable PubSubEngine engine, boolean shared) {
    this.emulatorHost = emulatorHost;
    this.engine = engine;
    this.shared = shared;
    this.channel = PubSubChannels.open(emulatorHost);
  }

  static LocalPubSub start(boolean shared) {
    String given = System.getenv("PUBSUB_EMULATOR_HOST");
    if (given != null && !given.isBlank()) {
      return new LocalPubSub(given.strip(), null, shared);
    }
    return inThisJvm(shared);
  }

  /** One of our own, whatever the environment says. */
  static LocalPubSub inThisJvm(boolean shared) {
    for (int attempt = 1; ; attempt++) {
      int port = Ports.free();
      try {
        PubSubEngine engine = PubSubEngine.start(PubSubChannels.address(port));
        return new LocalPubSub(Ports.HOST + ":" + port, engine, shared);
      } catch (UncheckedIOException e) {
        // Somebody took the port after it was found free.
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  static synchronized PubSubServer shared() {
    if (sharedServer == null) {
      sharedServer = start(true);
    }
    return sharedServer;
  }

  @Override
  public String emulatorHost() {
    return emulatorHost;
  }

  @Override
  public String project() {
    return project;
  }

  @Override
  public String topicName(String topic) {
    return fullName("topics", topic);
  }

  @Override
  public String subscriptionName(String subscription) {
    return fullName("subscriptions", subscription);
  }

  private String fullName(String collection, String name) {
    return name.contains("/") ? name : "projects/" + project + "/" + collection + "/" + name;
  }

  @Override
  public void createTopic(String topic) {
    publisher().createTopic(Topic.newBuilder().setName(topicName(topic)).build());
  }

  @Override
  public void deleteTopic(String topic) {
    publisher().deleteTopic(DeleteTopicRequest.newBuilder().setTopic(topicName(topic)).build());
  }

  @Override
  public void createSubscription(Subscription subscription) {
    subscriber()
        .createSubscription(
            subscription.toBuilder()
                .setName(subscriptionName(subscription.getName()))
                .setTopic(topicName(subscription.getTopic()))
                .build());
  }

  @Override
  public void deleteSubscription(String subscription) {
    subscriber()
        .deleteSubscription(
            DeleteSubscriptionRequest.newBuilder()
                .setSubscription(subscriptionName(subscription))
                .build());
  }

  private PublisherBlockingStub publisher() {
    return PublisherGrpc.newBlockingStub(channel)
        .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  private SubscriberBlockingStub subscriber() {
    return SubscriberGrpc.newBlockingStub(channel)
        .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    if (shared) {
      return;
    }
    PubSubChannels.close(channel);
    if (engine != null) {
      engine.close();
    }
  }
}
