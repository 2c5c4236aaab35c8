package dev.postcommit.pubsub.consumer;

import com.google.cloud.pubsub.v1.stub.GrpcPublisherStub;
import com.google.cloud.pubsub.v1.stub.GrpcSubscriberStub;
import com.google.cloud.pubsub.v1.stub.PublisherStub;
import com.google.cloud.pubsub.v1.stub.PublisherStubSettings;
import com.google.cloud.pubsub.v1.stub.SubscriberStub;
import com.google.cloud.pubsub.v1.stub.SubscriberStubSettings;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.pubsub.internal.ChannelReconnects;
import java.io.IOException;
import java.time.Duration;

/**
 * The clients that send dead letters. Calls have a timeout, and the clients do not retry: workers
 * do.
 *
 * @param publisher publishes dead letters and creates topics
 * @param subscriber creates subscriptions
 */
record PubSubDeadLetterClients(PublisherStub publisher, SubscriberStub subscriber)
    implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  static PubSubDeadLetterClients connect(PubSubConnection connection, ChannelReconnects reconnects)
      throws IOException {
    PublisherStub publisher = publisher(connection, reconnects);
    try {
      return new PubSubDeadLetterClients(publisher, subscriber(connection, reconnects));
    } catch (IOException | RuntimeException e) {
      publisher.shutdownNow();
      throw e;
    }
  }

  private static PublisherStub publisher(PubSubConnection connection, ChannelReconnects reconnects)
      throws IOException {
    PublisherStubSettings.Builder settings =
        PublisherStubSettings.newBuilder()
            .setCredentialsProvider(connection.credentialsProvider())
            .setTransportChannelProvider(connection.channels(reconnects::watching).build());
    settings.publishSettings().setSimpleTimeoutNoRetriesDuration(TIMEOUT);
    settings.getTopicSettings().setSimpleTimeoutNoRetriesDuration(TIMEOUT);
    settings.createTopicSettings().setSimpleTimeoutNoRetriesDuration(TIMEOUT);
    settings.listTopicSubscriptionsSettings().setSimpleTimeoutNoRetriesDuration(TIMEOUT);
    return GrpcPublisherStub.create(settings.build());
  }

  private static SubscriberStub subscriber(
      PubSubConnection connection, ChannelReconnects reconnects) throws IOException {
    SubscriberStubSettings.Builder settings =
        SubscriberStubSettings.newBuilder()
            .setCredentialsProvider(connection.credentialsProvider())
            .setTransportChannelProvider(connection.channels(reconnects::watching).build());
    settings.createSubscriptionSettings().setSimpleTimeoutNoRetriesDuration(TIMEOUT);
    return GrpcSubscriberStub.create(settings.build());
  }

  @Override
  public void close() {
    publisher.shutdownNow();
    subscriber.shutdownNow();
  }
}
