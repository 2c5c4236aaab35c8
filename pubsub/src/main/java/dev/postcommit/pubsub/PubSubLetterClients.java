package dev.postcommit.pubsub;

import com.google.cloud.pubsub.v1.stub.GrpcPublisherStub;
import com.google.cloud.pubsub.v1.stub.GrpcSubscriberStub;
import com.google.cloud.pubsub.v1.stub.PublisherStub;
import com.google.cloud.pubsub.v1.stub.PublisherStubSettings;
import com.google.cloud.pubsub.v1.stub.SubscriberStub;
import com.google.cloud.pubsub.v1.stub.SubscriberStubSettings;
import java.io.IOException;
import java.time.Duration;

/**
 * The clients by which dead letters are sent. No call takes longer than its time, and none is tried
 * again by the client: that is for the lane to do.
 *
 * @param publisher publishes letters, and knows topics
 * @param subscriber knows subscriptions
 */
record PubSubLetterClients(PublisherStub publisher, SubscriberStub subscriber)
    implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  static PubSubLetterClients connect(PubSubConnection connection, Reconnects reconnects)
      throws IOException {
    PublisherStub publisher = publisher(connection, reconnects);
    try {
      return new PubSubLetterClients(publisher, subscriber(connection, reconnects));
    } catch (IOException | RuntimeException e) {
      publisher.shutdownNow();
      throw e;
    }
  }

  private static PublisherStub publisher(PubSubConnection connection, Reconnects reconnects)
      throws IOException {
    PublisherStubSettings.Builder settings =
        PublisherStubSettings.newBuilder()
            .setCredentialsProvider(connection.credentialsProvider())
            .setTransportChannelProvider(connection.channels(reconnects).build());
    settings.publishSettings().setSimpleTimeoutNoRetriesDuration(TIMEOUT);
    settings.getTopicSettings().setSimpleTimeoutNoRetriesDuration(TIMEOUT);
    settings.createTopicSettings().setSimpleTimeoutNoRetriesDuration(TIMEOUT);
    settings.listTopicSubscriptionsSettings().setSimpleTimeoutNoRetriesDuration(TIMEOUT);
    return GrpcPublisherStub.create(settings.build());
  }

  private static SubscriberStub subscriber(PubSubConnection connection, Reconnects reconnects)
      throws IOException {
    SubscriberStubSettings.Builder settings =
        SubscriberStubSettings.newBuilder()
            .setCredentialsProvider(connection.credentialsProvider())
            .setTransportChannelProvider(connection.channels(reconnects).build());
    settings.createSubscriptionSettings().setSimpleTimeoutNoRetriesDuration(TIMEOUT);
    return GrpcSubscriberStub.create(settings.build());
  }

  @Override
  public void close() {
    publisher.shutdownNow();
    subscriber.shutdownNow();
  }
}
