package dev.postcommit.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Delivery.Rejected;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.testkit.contract.PublisherContract;
import dev.postcommit.testkit.pubsub.PubSubReader;
import dev.postcommit.testkit.pubsub.PubSubServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The contract, and what is Pub/Sub's own, with a server that is up. */
class PubSubPublisherIT extends PublisherContract {
  private static final int TOO_LARGE = 10_000_001;

  private final PubSubServer server = PubSubServer.shared();
  private final PubSubConnection connection =
      PubSubConnection.of(server.project()).emulator(server.emulatorHost());

  @Override
  protected Publisher newPublisher() {
    return PubSubPublisher.builder(connection).build();
  }

  @Override
  protected String newName() {
    return "topic-" + UUID.randomUUID();
  }

  @Override
  protected void create(String topic) {
    server.createTopic(topic);
    server.createSubscription(topic, topic);
  }

  @Override
  protected List<Message> arrivals(String topic, int count) {
    return PubSubReader.read(server, topic, count);
  }

  @Override
  protected int tooLarge() {
    return TOO_LARGE;
  }

  /** Pub/Sub has no key that is empty. */
  @Override
  protected Message arriving(Message sent) {
    Message keyless = new Message(sent.topic(), null, sent.headers(), sent.body());
    return "".equals(sent.key()) ? keyless : sent;
  }

  private static Message message(String topic, String key, Map<String, String> headers, int size) {
    return new Message(topic, key, headers, new byte[size]);
  }

  @Test
  @DisplayName("R30: order is kept within a key that is handed over at once")
  void keepsOrder() {
    assertThat(publisher().keepsOrder()).isTrue();
  }

  @Test
  @DisplayName(
      "R22: a message with neither body nor headers is rejected alone; its key goes on in order")
  void refusedMessagesAreRejectedAlone() {
    String topic = newTopic();
    List<Message> messages = numbered(topic, 100);
    for (int i : List.of(0, 33, 34, 99)) {
      messages.set(i, message(topic, "key", Map.of(), 0));
    }

    List<Delivery> deliveries = deliveries(sendAll(messages));

    for (int i : List.of(99, 34, 33, 0)) {
      assertThat(deliveries.remove(i))
          .isInstanceOfSatisfying(
              Rejected.class,
              rejected -> assertThat(rejected.reason()).startsWith("Pub/Sub refuses it: "));
      messages.remove(i);
    }
    assertThat(deliveries).hasSize(96).containsOnly(Delivery.DELIVERED);
    assertThat(bodies(arrivals(topic, 96))).isEqualTo(bodies(messages));
  }

  @Test
  @DisplayName("R22: a topic name that Pub/Sub does not allow is rejected alone")
  void anInvalidTopicIsRejectedAlone() {
    String topic = newTopic();
    List<Message> messages = numbered(topic, 3);
    messages.add(message("no spaces", "key", Map.of(), 1));
    messages.add(message("x", "key", Map.of(), 1));
    messages.add(message("projects/p", "key", Map.of(), 1));

    List<Delivery> deliveries = deliveries(sendAll(messages));

    assertThat(deliveries.subList(0, 3)).containsOnly(Delivery.DELIVERED);
    assertThat(deliveries.subList(3, 6)).hasOnlyElementsOfType(Rejected.class);
  }

  @Test
  @DisplayName("R22: the reason tells the size of a message that is too large, and what to do")
  void tellsTheSize() {
    String topic = newTopic();
    assertThat(deliveries(sendAll(List.of(message(topic, "key", Map.of(), TOO_LARGE)))))
        .singleElement()
        .isInstanceOfSatisfying(
            Rejected.class,
            rejected ->
                assertThat(rejected.reason())
                    .matches(
                        "it is too large for Pub/Sub: with its headers 10000\\d\\d\\d bytes, and at"
                            + " most 10000000 are taken; keep large content elsewhere and send"
                            + " where it is"));
  }

  @Test
  @DisplayName("R30: thousands of messages and many megabytes go in as many requests as it takes")
  void largeHandoversAreCut() {
    String topic = newTopic();
    List<Message> messages = numbered(topic, 2_500);
    for (int i : List.of(10, 1_200, 1_201)) {
      messages.set(i, message(topic, "key", Map.of("number", "" + i), 9_990_000));
    }

    assertThat(deliveries(sendAll(messages))).containsOnly(Delivery.DELIVERED);

    assertThat(bodies(arrivals(topic, 2_500))).isEqualTo(bodies(messages));
  }

  @Test
  @DisplayName("R30: messages without a key all arrive, in any order")
  void messagesWithoutAKeyArrive() {
    String topic = newTopic();
    List<Message> messages = new ArrayList<>();
    numbered(topic, 1_500)
        .forEach(
            each -> {
              Message keyless = new Message(topic, null, Map.of(), each.body());
              messages.add(keyless);
            });
    messages.set(700, message(topic, "", Map.of(), 0));

    List<Delivery> deliveries = deliveries(sendAll(messages));

    assertThat(deliveries.remove(700)).isInstanceOf(Rejected.class);
    assertThat(deliveries).containsOnly(Delivery.DELIVERED);
    messages.remove(700);
    assertThat(bodies(arrivals(topic, 1_499)))
        .containsExactlyInAnyOrderElementsOf(bodies(messages));
  }

  @Test
  @DisplayName("R30: whoever waits for a message may be slow, or fail, and harms no other")
  void callbacksHarmNobody() throws Exception {
    String topic = newTopic();
    CompletableFuture<Void> released = new CompletableFuture<>();
    List<CompletableFuture<Delivery>> sent = new ArrayList<>();
    CompletableFuture<Void> failing;
    CompletableFuture<Void> slow;
    try (Publisher.Handover handover = publisher().handover()) {
      numbered(topic, 1_001)
          .forEach(message -> sent.add(handover.send(message).toCompletableFuture()));
      failing =
          sent.get(0)
              .thenAccept(
                  delivery -> {
                    throw new IllegalStateException("no");
                  });
      slow = sent.get(0).thenAccept(delivery -> released.join());
    }

    assertThat(sent.get(1_000).get(10, TimeUnit.SECONDS)).isEqualTo(Delivery.DELIVERED);
    assertThat(slow).isNotDone();

    released.complete(null);
    assertThat(slow).succeedsWithin(10, TimeUnit.SECONDS);
    assertThat(failing).failsWithin(10, TimeUnit.SECONDS);
    assertThat(deliveries(sent)).containsOnly(Delivery.DELIVERED);
  }

  @Test
  @DisplayName("what is kept in a handover when the publisher is closed ends unavailable")
  void closingEndsWhatIsNotHandedOverYet() {
    String topic = newTopic();
    Publisher.Handover handover = publisher().handover();
    CompletableFuture<Delivery> kept =
        handover.send(numbered(topic, 1).get(0)).toCompletableFuture();

    publisher().close();
    handover.close();

    Delivery closed = new Delivery.Unavailable("the publisher is closed", null);
    assertThat(kept).isCompletedWithValue(closed);
    assertThat(handover.send(numbered(topic, 1).get(0)).toCompletableFuture())
        .isCompletedWithValue(closed);
  }

  @Test
  void leavesNoThreadBehind() {
    Set<Thread> before = threads();
    try (Publisher publisher = newPublisher()) {
      assertThat(threads()).isEqualTo(before);
      assertThat(publisher.send(numbered(newTopic(), 1).get(0)).toCompletableFuture())
          .succeedsWithin(publisher.deliveryTimeout())
          .isEqualTo(Delivery.DELIVERED);
      assertThat(threads()).isNotEqualTo(before);
    }
    await().untilAsserted(() -> assertThat(threads()).isEqualTo(before));
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("postcommit-pubsub-"))
        .collect(Collectors.toSet());
  }

  private static List<String> bodies(List<Message> messages) {
    return messages.stream()
        .map(
            message ->
                message.body().length > 100
                    ? String.valueOf(message.body().length)
                    : new String(message.body(), StandardCharsets.UTF_8))
        .toList();
  }
}
