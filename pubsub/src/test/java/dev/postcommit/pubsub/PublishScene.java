package dev.postcommit.pubsub;

import com.google.pubsub.v1.PublishRequest;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Publisher.Handover;
import dev.postcommit.testkit.pubsub.PubSubProxy;
import dev.postcommit.testkit.pubsub.PubSubReader;
import dev.postcommit.testkit.pubsub.PubSubServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A server, a proxy before it that makes things go wrong, and messages to send through both. */
final class PublishScene implements AutoCloseable {
  final PubSubServer server = PubSubServer.shared();
  final PubSubProxy proxy = PubSubProxy.before(server);

  PubSubConnection connection() {
    return PubSubConnection.of(server.project()).emulator(proxy.emulatorHost());
  }

  /** The name of a topic that does not exist. */
  static String newName() {
    return "topic-" + UUID.randomUUID();
  }

  /** A new topic, with a subscription of the same name. */
  String newTopic() {
    String topic = newName();
    server.createTopic(topic);
    server.createSubscription(topic, topic);
    return topic;
  }

  /** Messages with their numbers for bodies. */
  static List<Message> numbered(String topic, @Nullable String key, int count) {
    return numbered(topic, key, 0, count);
  }

  /** Messages with the numbers of a range for bodies. */
  static List<Message> numbered(String topic, @Nullable String key, int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> new Message(topic, key, Map.of(), text("" + i)))
        .toList();
  }

  /** Requests with the message of a key that has that number. */
  static Predicate<PublishRequest> with(String key, int number) {
    return request ->
        request.getMessagesList().stream()
            .anyMatch(
                each ->
                    each.getOrderingKey().equals(key)
                        && each.getData().toStringUtf8().equals("" + number));
  }

  /** Hands messages over together, without waiting. */
  static List<CompletableFuture<Delivery>> begin(Publisher publisher, List<Message> messages) {
    List<CompletableFuture<Delivery>> sent = new ArrayList<>();
    try (Handover handover = publisher.handover()) {
      messages.forEach(message -> sent.add(handover.send(message).toCompletableFuture()));
    }
    return sent;
  }

  /** Waits for the outcomes, as long as the publisher says it takes. */
  static List<Delivery> outcomes(Publisher publisher, List<CompletableFuture<Delivery>> sent) {
    long limit = publisher.deliveryTimeout().toMillis() + 200;
    return sent.stream().map(each -> each.orTimeout(limit, TimeUnit.MILLISECONDS).join()).toList();
  }

  static List<Delivery> send(Publisher publisher, List<Message> messages) {
    return outcomes(publisher, begin(publisher, messages));
  }

  /** The bodies of what arrived, of each key. */
  Map<String, List<String>> arrivals(String topic, int count) {
    Map<String, List<String>> bodies = new LinkedHashMap<>();
    for (Message message : PubSubReader.read(server, topic, count)) {
      bodies
          .computeIfAbsent(String.valueOf(message.key()), key -> new ArrayList<>())
          .add(new String(message.body(), StandardCharsets.UTF_8));
    }
    return bodies;
  }

  static List<String> numbers(int to) {
    return IntStream.range(0, to).mapToObj(String::valueOf).toList();
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    proxy.close();
  }
}
