package dev.postcommit.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Delivery.Delivered;
import dev.postcommit.relay.Delivery.HeldBack;
import dev.postcommit.relay.Delivery.Rejected;
import dev.postcommit.relay.Delivery.TopicUnavailable;
import dev.postcommit.relay.Delivery.Unavailable;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Publisher.Handover;
import dev.postcommit.relay.RelayConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The sending side of a broker. The broker is up; what happens in outages is not tested here. */
public abstract class PublisherContract {
  private static final byte[] ALL_BYTES = new byte[256];

  static {
    for (int i = 0; i < ALL_BYTES.length; i++) {
      ALL_BYTES[i] = (byte) i;
    }
  }

  private @Nullable Publisher publisher;

  /** A publisher to the broker, which the suite closes. */
  protected abstract Publisher newPublisher();

  /** The name of a topic that does not exist, another one each time. */
  protected abstract String newName();

  /** Creates a topic of one or more partitions. */
  protected abstract void create(String topic);

  /** Waits for the first {@code count} messages of a topic; those of one key as they arrived. */
  protected abstract List<Message> arrivals(String topic, int count);

  /** The size of a body that the broker does not take. */
  protected abstract int tooLarge();

  /** What is to arrive of a message, if the broker has no way to tell all of it. */
  protected Message arriving(Message sent) {
    return sent;
  }

  /** Makes the publisher under test. */
  @BeforeEach
  public void open() {
    publisher = newPublisher();
  }

  /** Closes it. */
  @AfterEach
  public void close() {
    publisher().close();
  }

  /** The publisher under test. */
  protected final Publisher publisher() {
    return Objects.requireNonNull(publisher);
  }

  /** The name of a new topic that exists. */
  protected final String newTopic() {
    String topic = newName();
    create(topic);
    return topic;
  }

  /** Nothing of a message is lost or changed. */
  @Test
  @DisplayName("R26: topic, key, headers and body arrive as they were sent")
  public void messagesArriveAsTheyWereSent() {
    String topic = newTopic();
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("z-first", "1");
    headers.put("a-second", "später, 後で, 🕰");
    headers.put("empty", "");
    List<Message> sent =
        List.of(
            new Message(topic, "ключ 🔑", headers, ALL_BYTES),
            new Message(topic, "", Map.of("no", "body"), new byte[0]),
            new Message(topic, null, Map.of("only", "header"), text("no key")));

    assertThat(deliveries(sendAll(sent))).containsOnly(Delivery.DELIVERED);

    List<Message> arrived = arrivals(topic, sent.size());
    for (Message message : sent) {
      Message expected = arriving(message);
      assertThat(arrived)
          .anySatisfy(
              other -> {
                assertThat(other.topic()).isEqualTo(expected.topic());
                assertThat(other.key()).isEqualTo(expected.key());
                assertThat(other.headers()).isEqualTo(expected.headers());
                assertThat(other.body()).isEqualTo(expected.body());
              });
    }
  }

  /** Whoever keeps order is handed all of a key at once; whoever does not, one after the other. */
  @Test
  @DisplayName("R30: messages of one key arrive in the order they were sent, from many threads")
  public void messagesOfOneKeyArriveInOrder() {
    String topic = newTopic();
    int keys = 8;
    int each = 500;
    boolean keepsOrder = publisher().keepsOrder();
    CompletableFuture<?>[] senders =
        IntStream.range(0, keys)
            .mapToObj(key -> CompletableFuture.runAsync(() -> run(topic, key, each, keepsOrder)))
            .toArray(CompletableFuture<?>[]::new);
    get(CompletableFuture.allOf(senders));

    Map<String, List<String>> arrived = byKey(arrivals(topic, keys * each));
    List<String> expected = IntStream.range(0, each).mapToObj(String::valueOf).toList();
    assertThat(arrived).hasSize(keys);
    assertThat(arrived.values()).allSatisfy(bodies -> assertThat(bodies).isEqualTo(expected));
  }

  private void run(String topic, int key, int count, boolean atOnce) {
    List<Message> messages =
        IntStream.range(0, count)
            .mapToObj(i -> new Message(topic, "key " + key, Map.of(), text("" + i)))
            .toList();
    if (atOnce) {
      assertThat(deliveries(sendAll(messages))).containsOnly(Delivery.DELIVERED);
    } else {
      messages.forEach(message -> assertThat(get(send(message))).isEqualTo(Delivery.DELIVERED));
    }
  }

  /** Neighbours do not pay for a message that is too large. */
  @Test
  @DisplayName("R22: a message that is too large is rejected alone")
  public void aMessageTooLargeIsRejectedAlone() {
    String topic = newTopic();
    List<Message> messages = numbered(topic, 101);
    messages.set(50, new Message(topic, "key", Map.of(), new byte[tooLarge()]));

    List<Delivery> deliveries = deliveries(sendAll(messages));

    assertThat(deliveries.remove(50)).isInstanceOf(Rejected.class);
    assertThat(deliveries).containsOnly(Delivery.DELIVERED);
    assertThat(byKey(arrivals(topic, 100)).get("key")).hasSize(100).doesNotHaveDuplicates();
  }

  /** A missing topic is somebody's to create: no reason to give up, or to keep others waiting. */
  @Test
  @DisplayName("R22: messages to a missing topic wait for it, delay no others, and go once it is")
  public void aMissingTopicConcernsItsOwnMessagesOnly() {
    String missing = newName();
    String topic = newTopic();
    List<Message> toMissing = numbered(missing, 100);
    List<Message> toTopic = numbered(topic, 100);
    List<CompletableFuture<Delivery>> unsent = new ArrayList<>();
    List<CompletableFuture<Delivery>> sent = new ArrayList<>();
    long begin = System.nanoTime();
    try (Handover handover = publisher().handover()) {
      for (int i = 0; i < 100; i++) {
        unsent.add(handover.send(toMissing.get(i)).toCompletableFuture());
        sent.add(handover.send(toTopic.get(i)).toCompletableFuture());
      }
    }
    assertThat(deliveries(sent)).containsOnly(Delivery.DELIVERED);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(4));
    List<Delivery> failures = deliveries(unsent);
    assertThat(failures.get(0))
        .isInstanceOfSatisfying(
            TopicUnavailable.class,
            unavailable -> assertThat(unavailable.reason()).contains(missing));
    assertThat(failures).hasOnlyElementsOfTypes(TopicUnavailable.class, HeldBack.class);

    create(missing);
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> get(send(toMissing.get(0))) instanceof Delivered);
    assertThat(deliveries(sendAll(toMissing.subList(1, 100)))).containsOnly(Delivery.DELIVERED);
    assertThat(byKey(arrivals(missing, 100)).get("key"))
        .isEqualTo(IntStream.range(0, 100).mapToObj(String::valueOf).toList());
  }

  /** What a relay asks before it starts. */
  @Test
  @DisplayName("it is ready, and answers before the default lease of a relay ends")
  public void fitsTheRelay() {
    assertThat(publisher().problem()).isEmpty();
    assertThat(publisher().deliveryTimeout()).isLessThan(RelayConfig.DEFAULT.lease());
  }

  /** Closing is not losing. */
  @Test
  @DisplayName(
      "closing waits for what is in flight; after that nothing is taken, and nothing hangs")
  public void closingEndsEveryMessage() {
    String topic = newTopic();
    List<CompletableFuture<Delivery>> sent = sendAll(numbered(topic, 1_000));

    publisher().close();

    assertThat(sent).allMatch(CompletableFuture::isDone);
    assertThat(deliveries(sent)).containsOnly(Delivery.DELIVERED);
    assertThat(arrivals(topic, 1_000)).hasSize(1_000);
    assertThat(get(send(numbered(topic, 1).get(0)))).isInstanceOf(Unavailable.class);
    assertThat(publisher().problem()).contains("the publisher is closed");
    publisher().close();
  }

  /** Messages with one key and their numbers for bodies. */
  protected static List<Message> numbered(String topic, int count) {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      messages.add(new Message(topic, "key", Map.of(), text("" + i)));
    }
    return messages;
  }

  /** Hands messages over together, without waiting. */
  protected final List<CompletableFuture<Delivery>> sendAll(List<Message> messages) {
    List<CompletableFuture<Delivery>> sent = new ArrayList<>();
    try (Handover handover = publisher().handover()) {
      messages.forEach(message -> sent.add(handover.send(message).toCompletableFuture()));
    }
    return sent;
  }

  private CompletableFuture<Delivery> send(Message message) {
    return publisher().send(message).toCompletableFuture();
  }

  /** Waits for the outcomes. */
  protected static List<Delivery> deliveries(List<CompletableFuture<Delivery>> sent) {
    List<Delivery> deliveries = new ArrayList<>();
    sent.forEach(each -> deliveries.add(get(each)));
    return deliveries;
  }

  private static <T extends @Nullable Object> T get(CompletableFuture<T> future) {
    return future.orTimeout(30, TimeUnit.SECONDS).join();
  }

  private static Map<String, List<String>> byKey(List<Message> messages) {
    Map<String, List<String>> bodies = new LinkedHashMap<>();
    for (Message message : messages) {
      bodies
          .computeIfAbsent(String.valueOf(message.key()), key -> new ArrayList<>())
          .add(new String(message.body(), StandardCharsets.UTF_8));
    }
    return bodies;
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
