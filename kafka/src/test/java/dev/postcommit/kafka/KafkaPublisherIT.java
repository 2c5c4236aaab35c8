package dev.postcommit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Delivery.Rejected;
import dev.postcommit.relay.Delivery.Unavailable;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.testkit.contract.PublisherContract;
import dev.postcommit.testkit.kafka.KafkaReader;
import dev.postcommit.testkit.kafka.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The contract, and what is Kafka's own, with a broker that is up. */
class KafkaPublisherIT extends PublisherContract {
  private static final int TOO_LARGE = 1024 * 1024;

  private final KafkaServer kafka = KafkaServer.shared();

  @Override
  protected Publisher newPublisher() {
    return KafkaPublisher.builder()
        .bootstrapServers(kafka.bootstrapServers())
        .property("max.block.ms", 5_000)
        .build();
  }

  @Override
  protected String newName() {
    return "topic-" + UUID.randomUUID();
  }

  @Override
  protected void create(String topic) {
    kafka.createTopic(topic, 3);
  }

  @Override
  protected List<Message> arrivals(String topic, int count) {
    return KafkaReader.read(kafka.bootstrapServers(), topic, count);
  }

  @Override
  protected int tooLarge() {
    return TOO_LARGE;
  }

  @Test
  @DisplayName("R30: order is kept within a key that is handed over without waiting")
  void keepsOrder() {
    assertThat(publisher().keepsOrder()).isTrue();
  }

  @Test
  @DisplayName("R26: headers arrive in the order they were given")
  void headersKeepTheirOrder() {
    String topic = newTopic();
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("z-first", "1");
    headers.put("a-second", "2");
    assertThat(deliveries(sendAll(List.of(new Message(topic, "key", headers, new byte[1])))))
        .containsOnly(Delivery.DELIVERED);
    assertThat(arrivals(topic, 1).get(0).headers().keySet()).containsExactly("z-first", "a-second");
  }

  @Test
  @DisplayName("R22: a message too large for its topic is rejected alone, though it shared a batch")
  void aMessageTooLargeForTheBrokerIsRejectedAlone() {
    String topic = newName();
    kafka.createTopic(topic, 1, Map.of("max.message.bytes", "10000"));
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < 301; i++) {
      byte[] body = "%0100d".formatted(i).getBytes(StandardCharsets.UTF_8);
      messages.add(new Message(topic, "key", Map.of(), body));
    }
    messages.set(150, new Message(topic, "key", Map.of(), new byte[20_000]));

    List<Delivery> deliveries = deliveries(sendAll(messages));

    assertThat(deliveries.remove(150)).isInstanceOf(Rejected.class);
    assertThat(deliveries).containsOnly(Delivery.DELIVERED);
    messages.remove(150);
    assertThat(bodies(arrivals(topic, 300))).isEqualTo(bodies(messages));
  }

  @Test
  @DisplayName("R22: a record the broker finds invalid is rejected; its batch goes the next time")
  void theInvalidRecordOfABatchIsRejected() {
    String topic = newName();
    kafka.createTopic(topic, 1, Map.of("cleanup.policy", "compact"));
    List<Message> messages = numbered(topic, 101);
    messages.set(50, new Message(topic, null, Map.of(), new byte[] {1}));

    List<Message> left = messages;
    boolean rejected = false;
    while (!left.isEmpty()) {
      await().until(() -> publisher().problem().isEmpty());
      List<Delivery> deliveries = deliveries(sendAll(left));
      List<Message> again = new ArrayList<>();
      for (int i = 0; i < left.size(); i++) {
        Delivery delivery = deliveries.get(i);
        rejected |= delivery instanceof Rejected;
        assertThat(delivery instanceof Rejected).isEqualTo(left.get(i).key() == null);
        if (delivery instanceof Unavailable) {
          again.add(left.get(i));
        }
      }
      assertThat(again.size()).isLessThan(left.size());
      left = again;
    }
    assertThat(rejected).isTrue();
    messages.remove(50);
    assertThat(bodies(arrivals(topic, 100))).isEqualTo(bodies(messages));
  }

  @Test
  @DisplayName("R22: a topic name that Kafka does not allow is rejected alone")
  void anInvalidTopicIsRejectedAlone() {
    String topic = newTopic();
    List<Message> messages = numbered(topic, 10);
    for (String name : List.of("no spaces", "..", "no/slash", "x".repeat(250))) {
      messages.add(new Message(name, "key", Map.of(), new byte[1]));
    }
    messages.addAll(numbered(topic, 10));

    List<Delivery> deliveries = deliveries(sendAll(messages));

    assertThat(deliveries.subList(10, 14)).hasOnlyElementsOfType(Rejected.class);
    assertThat(deliveries.subList(0, 10)).containsOnly(Delivery.DELIVERED);
    assertThat(deliveries.subList(14, 24)).containsOnly(Delivery.DELIVERED);
  }

  @Test
  @DisplayName("R22: a hundred missing topics delay no messages to one that is there")
  void missingTopicsDoNotDelayOthers() {
    String topic = newTopic();
    for (int i = 0; i < 100; i++) {
      var unused = publisher().send(new Message(newName(), "key", Map.of(), new byte[1]));
    }
    long begin = System.nanoTime();
    assertThat(deliveries(sendAll(numbered(topic, 10)))).containsOnly(Delivery.DELIVERED);
    assertThat(System.nanoTime() - begin).isLessThan(2_000_000_000L);
  }

  @Test
  void leavesNoThreadBehind() {
    String clientId = "threads-" + UUID.randomUUID();
    Publisher publisher =
        KafkaPublisher.builder()
            .bootstrapServers(kafka.bootstrapServers())
            .clientId(clientId)
            .property("max.block.ms", 500)
            .build();
    assertThat(threads(clientId)).isEmpty();
    publisher
        .send(new Message(newTopic(), "key", Map.of(), new byte[1]))
        .toCompletableFuture()
        .join();
    publisher
        .send(new Message(newName(), "key", Map.of(), new byte[1]))
        .toCompletableFuture()
        .join();
    assertThat(threads(clientId)).isNotEmpty();

    publisher.close();

    await().untilAsserted(() -> assertThat(threads(clientId)).isEmpty());
  }

  private static List<String> threads(String clientId) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.contains(clientId))
        .toList();
  }

  private static List<String> bodies(List<Message> messages) {
    return messages.stream()
        .map(message -> new String(message.body(), StandardCharsets.UTF_8))
        .toList();
  }
}
