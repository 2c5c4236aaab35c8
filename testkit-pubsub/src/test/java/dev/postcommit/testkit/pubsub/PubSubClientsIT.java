package dev.postcommit.testkit.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.api.gax.batching.FlowControlSettings;
import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.grpc.GrpcTransportChannel;
import com.google.api.gax.rpc.FixedTransportChannelProvider;
import com.google.api.gax.rpc.TransportChannelProvider;
import com.google.cloud.pubsub.v1.MessageReceiver;
import com.google.cloud.pubsub.v1.Publisher;
import com.google.cloud.pubsub.v1.Subscriber;
import com.google.pubsub.v1.PubsubMessage;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Google's own clients, with our server alone: the emulator brings what was given back after its
 * followers, and keeps what a broken connection had for as long as the client could have kept it.
 */
class PubSubClientsIT {

  private static PubSubServer server;
  private static PubSubProxy proxy;
  private static PubSubCalls calls;
  private static ManagedChannel channel;

  @BeforeAll
  static void start() {
    server = PubSubServer.startHere();
    proxy = PubSubProxy.before(server);
    calls = new PubSubCalls(server);
    channel = PubSubChannels.open(proxy.emulatorHost());
  }

  @AfterAll
  static void stop() {
    PubSubChannels.close(channel);
    calls.close();
    proxy.close();
    server.close();
  }

  @Test
  void whatAPublisherSendsASubscriberGetsInOrder() throws Exception {
    String topic = calls.newTopic();
    Map<String, List<String>> arrived = new ConcurrentHashMap<>();
    AtomicInteger count = new AtomicInteger();
    Subscriber subscriber =
        subscriber(
            topic,
            (message, reply) -> {
              arrived
                  .computeIfAbsent(message.getOrderingKey(), key -> new CopyOnWriteArrayList<>())
                  .add(message.getData().toStringUtf8());
              count.incrementAndGet();
              reply.ack();
            });

    publish(topic, 20, 100);

    await().until(() -> count.get() >= 2_000);
    stop(subscriber);
    List<String> expected = IntStream.range(0, 100).mapToObj(String::valueOf).toList();
    assertThat(arrived).hasSize(20);
    assertThat(arrived.values()).allSatisfy(bodies -> assertThat(bodies).isEqualTo(expected));
    assertThat(calls.pullNow(topic)).isEmpty();
  }

  @Test
  void whatASubscriberGivesBackComesAgainBeforeItsFollowers() throws Exception {
    String topic = calls.newTopic();
    List<String> arrived = new CopyOnWriteArrayList<>();
    List<String> acknowledged = new CopyOnWriteArrayList<>();
    AtomicBoolean gaveBack = new AtomicBoolean();
    Subscriber subscriber =
        subscriber(
            topic,
            (message, reply) -> {
              String body = message.getData().toStringUtf8();
              arrived.add(body);
              if (body.equals("1") && gaveBack.compareAndSet(false, true)) {
                reply.nack();
              } else {
                acknowledged.add(body);
                reply.ack();
              }
            });

    calls.publish(topic, "key", "0", "1", "2");

    await().until(() -> acknowledged.contains("2") && arrived.lastIndexOf("1") > 1);
    stop(subscriber);
    assertThat(arrived.subList(0, 2)).containsExactly("0", "1");
    assertThat(arrived.subList(arrived.lastIndexOf("1"), arrived.size())).containsExactly("1", "2");
  }

  @Test
  void aSubscriberGoesOnAfterAnOutage() throws Exception {
    String topic = calls.newTopic();
    List<String> arrived = new CopyOnWriteArrayList<>();
    Subscriber subscriber =
        subscriber(
            topic,
            (message, reply) -> {
              arrived.add(message.getData().toStringUtf8());
              reply.ack();
            });
    calls.publish(topic, "key", "before");
    await().until(() -> arrived.contains("before"));

    proxy.stop();
    calls.publish(topic, "key", "during");
    proxy.restart();

    await().atMost(Duration.ofSeconds(20)).until(() -> arrived.contains("during"));
    assertThat(subscriber.isRunning()).isTrue();
    stop(subscriber);
  }

  private static void publish(String topic, int keys, int each) throws Exception {
    Publisher publisher =
        Publisher.newBuilder(server.topicName(topic))
            .setChannelProvider(transport())
            .setCredentialsProvider(NoCredentialsProvider.create())
            .setEnableMessageOrdering(true)
            .build();
    try {
      List<ApiFuture<String>> sent = new ArrayList<>();
      for (int i = 0; i < each; i++) {
        for (int key = 0; key < keys; key++) {
          PubsubMessage message = PubSubCalls.message("key " + key, "" + i);
          sent.add(publisher.publish(message));
        }
      }
      ApiFutures.allAsList(sent).get(20, TimeUnit.SECONDS);
    } finally {
      publisher.shutdown();
      publisher.awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  private static Subscriber subscriber(String topic, MessageReceiver receiver) {
    Subscriber subscriber =
        Subscriber.newBuilder(server.subscriptionName(topic), receiver)
            .setChannelProvider(transport())
            .setCredentialsProvider(NoCredentialsProvider.create())
            .setFlowControlSettings(
                FlowControlSettings.newBuilder().setMaxOutstandingElementCount(500L).build())
            .build();
    subscriber.startAsync().awaitRunning();
    return subscriber;
  }

  private static void stop(Subscriber subscriber) throws Exception {
    subscriber.stopAsync().awaitTerminated(10, TimeUnit.SECONDS);
  }

  private static TransportChannelProvider transport() {
    return FixedTransportChannelProvider.create(GrpcTransportChannel.create(channel));
  }
}
