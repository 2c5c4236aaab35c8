package dev.postcommit.pubsub.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.cloud.pubsub.v1.TopicAdminClient;
import com.google.cloud.pubsub.v1.TopicAdminSettings;
import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PubsubMessage;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.pubsub.internal.ChannelReconnects;
import dev.postcommit.relay.Message;
import dev.postcommit.testkit.pubsub.PubSubReader;
import dev.postcommit.testkit.pubsub.PubSubServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A topic with a subscription, for one test: messages to publish, and consumers of them. */
final class PubSubConsumerStage implements AutoCloseable {
  private static final String LAST = "last";

  private final PubSubServer server;
  private final PubSubConnection connection;
  private final ChannelReconnects reconnects =
      new ChannelReconnects("test-reconnect", Duration.ofSeconds(1));
  private final TopicAdminClient client;
  private final String name = "orders-" + UUID.randomUUID();

  PubSubConsumerStage(PubSubServer server) {
    this.server = server;
    this.connection = PubSubConnection.of(server.project()).emulator(server.emulatorHost());
    try {
      this.client =
          TopicAdminClient.create(
              TopicAdminSettings.newBuilder()
                  .setTransportChannelProvider(connection.channels(reconnects::watching).build())
                  .setCredentialsProvider(connection.credentialsProvider())
                  .build());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    server.createTopic(name);
    server.createSubscription(name, name);
  }

  /** The name of the topic, and that of its subscription. */
  String name() {
    return name;
  }

  PubSubConnection connection() {
    return connection;
  }

  PubSubEventConsumer.Builder consumer(EventConsumer consumer) {
    return consumer(consumer, server.emulatorHost());
  }

  /** A consumer that reaches the server another way. */
  PubSubEventConsumer.Builder consumer(EventConsumer consumer, String emulatorHost) {
    return PubSubEventConsumer.builder(consumer, connection.emulator(emulatorHost))
        .subscription(name)
        .ackDeadline(Duration.ofSeconds(10));
  }

  static PubsubMessage message(@Nullable String key, String body, Map<String, String> attributes) {
    return PubsubMessage.newBuilder()
        .setOrderingKey(key == null ? "" : key)
        .setData(ByteString.copyFromUtf8(body))
        .putAllAttributes(attributes)
        .build();
  }

  /** A message of an event that is its body alone. */
  static PubsubMessage event(@Nullable String key, String id, String type, String body) {
    return message(key, body, Map.of("event_id", id, "event_type", type));
  }

  void publish(@Nullable String key, String... bodies) {
    for (String body : bodies) {
      publish(List.of(message(key, body, Map.of())));
    }
  }

  /** Publishes messages, those of a key in order. */
  void publish(List<PubsubMessage> messages) {
    Map<String, List<PubsubMessage>> byKey = new LinkedHashMap<>();
    for (PubsubMessage message : messages) {
      byKey.computeIfAbsent(message.getOrderingKey(), key -> new ArrayList<>()).add(message);
    }
    byKey.values().forEach(ofKey -> client.publish(connection.topic(name), ofKey));
  }

  /** What no consumer has acknowledged, of which there are at least so many. */
  List<Message> unacknowledged(int count) {
    // Google's emulator cannot be asked for messages if there never was one without a key.
    publish(null, LAST);
    List<Message> messages = new ArrayList<>(PubSubReader.read(server, name, count + 1));
    messages.removeIf(
        message -> message.key() == null && new String(message.body(), UTF_8).equals(LAST));
    return messages;
  }

  /** The letters of this topic. */
  List<Message> letters(int count) {
    return PubSubReader.read(server, name + ".dlt", count);
  }

  @Override
  public void close() {
    client.close();
    reconnects.close();
  }
}
