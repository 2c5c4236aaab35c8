package dev.postcommit.kafka.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.PostcommitException;
import dev.postcommit.consumer.deadletter.DeadLetter;
import dev.postcommit.consumer.deadletter.DeadLetterContent.Kept;
import dev.postcommit.consumer.message.ReceivedMessage;
import dev.postcommit.store.Decision;
import dev.postcommit.testkit.kafka.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An operator looks at the letters of a dead-letter topic and replays them (R39). */
class KafkaDeadLettersIT {
  private static final Decision DECISION = new Decision("ada", "stock is there again");
  private static final Instant FAILED = Instant.parse("2026-03-04T05:06:07Z");
  private static final KafkaDeadLetterFilter ALL = KafkaDeadLetterFilter.all();

  private final KafkaServer kafka = KafkaServer.shared();
  private final Map<String, Object> properties =
      Map.of(
          "bootstrap.servers",
          kafka.bootstrapServers(),
          "compression.type",
          "gzip",
          "max.poll.records",
          2);
  private final String topic = "orders-" + UUID.randomUUID();
  private final DeadLetterClients clients = DeadLetterClients.of(properties);
  private final KafkaProducer<byte[], byte[]> producer =
      new KafkaProducer<>(clients.producer().producer());
  private KafkaDeadLetters letters;

  @BeforeEach
  void open() {
    kafka.createTopic(topic, 3);
    kafka.createTopic(topic + ".dlt", 2);
    letters = KafkaDeadLetters.open(properties, topic + ".dlt");
  }

  @AfterEach
  void close() {
    letters.close();
    producer.close(Duration.ZERO);
  }

  /** R39. */
  @Test
  void originalIsReplayedByteForByteOnce() {
    byte[] header = {(byte) 0xff, 0};
    ConsumerRecord<byte[], byte[]> original =
        publish(2, "k", bytes("{\"total\": 10.00}"), new RecordHeader("bin", header));
    giveUp(original, "e1", "no stock", "inventory");

    List<KafkaDeadLetterRef> open = letters.find(ALL, false);
    KafkaReplay result = letters.replay(open, DECISION);

    assertThat(result.replayed()).isEqualTo(open).hasSize(1);
    assertThat(result.failed()).isEmpty();
    List<ConsumerRecord<byte[], byte[]>> records = records(topic);
    assertThat(records).hasSize(2);
    ConsumerRecord<byte[], byte[]> again = records.get(1);
    assertThat(again.partition()).isEqualTo(2);
    assertThat(again.key()).isEqualTo(original.key());
    assertThat(again.value()).isEqualTo(original.value());
    assertThat(again.headers().toArray()).containsExactly(original.headers().toArray());
    assertThat(letters.find(ALL, false)).isEmpty();
    assertThat(letters.replay(open, DECISION).replayed()).isEmpty();
    assertThat(records(topic)).hasSize(2);
  }

  /** R39. */
  @Test
  void aDecisionIsARecordBesideItsLetter() {
    giveUp(publish(0, "k", bytes("1")), "e1", "no stock", "inventory");
    KafkaDeadLetterRef ref = letters.find(ALL, false).get(0);

    letters.replay(List.of(ref), DECISION);

    ConsumerRecord<byte[], byte[]> decision = records(topic + ".dlt").get(1);
    assertThat(decision.partition()).isEqualTo(ref.partition());
    assertThat(decision.key()).isEqualTo(bytes("k"));
    assertThat(decision.headers().toArray())
        .containsExactly(
            new RecordHeader("dlt_decision", bytes("replayed")),
            new RecordHeader("dlt_decided_offset", bytes(Long.toString(ref.offset()))));
    assertThat(new String(decision.value(), StandardCharsets.UTF_8))
        .matches(
            "\\{\"eventId\":\"e1\",\"replayedAt\":\"20[^\"]+Z\",\"operator\":\"ada\",\"reason\":\"stock is there again\"}");
    List<KafkaDeadLetterRef> all = letters.find(ALL, true);
    assertThat(all).hasSize(1);
    assertThat(all.get(0).replayed().decision()).isEqualTo(DECISION);
    assertThat(letters.read(all).get(0).ref()).isEqualTo(all.get(0));
  }

  @Test
  void aLetterWrittenTwiceIsOne() {
    ConsumerRecord<byte[], byte[]> original = publish(0, null, bytes("1"));
    DeadLetter letter = letter(original, "e1", "no stock", "inventory");
    send(original, letter, 0);
    send(original, letter, 1);
    send(original, letter, 0);
    send(original, letter(original, "e1", "no address", "shipping"), 1);

    List<KafkaDeadLetterRef> open = letters.find(ALL, false);
    assertThat(open).extracting(KafkaDeadLetterRef::position).containsExactly("0:0", "1:1");
    letters.replay(open.subList(0, 1), DECISION);

    assertThat(letters.find(ALL, false))
        .extracting(KafkaDeadLetterRef::position)
        .containsExactly("1:1");
    assertThat(letters.find(ALL, true)).hasSize(2);
    assertThat(records(topic)).hasSize(2);
  }

  @Test
  void lettersAreFoundByWhatTheyTell() {
    giveUp(publish(0, "a", bytes("1")), "e1", "no stock", "inventory");
    giveUp(publish(0, "b", bytes("2")), "e2", "no address", "shipping");

    assertFound(KafkaDeadLetterFilter.ids(Set.of("e1", "e9")), "e1");
    assertFound(
        KafkaDeadLetterFilter.ids(Set.of(letters.find(ALL, false).get(1).position())), "e2");
    assertFound(filter("order.placed", null, null, null, null, null), "e1", "e2");
    assertFound(filter("order", null, null, null, null, null));
    assertFound(filter(null, "shipping", null, null, null, null), "e2");
    assertFound(filter(null, null, "a", null, null, null), "e1");
    assertFound(filter(null, null, null, "stock", null, null), "e1");
    assertFound(filter(null, null, null, null, FAILED, FAILED.plusMillis(1)), "e1", "e2");
    assertFound(filter(null, null, null, null, FAILED.plusMillis(1), null));
    assertFound(filter(null, null, null, null, null, FAILED));
    assertFound(filter("order.placed", "shipping", "b", "no", null, null), "e2");
  }

  @Test
  void lettersOfOnePartitionAreReplayedInOrderHoweverMany() {
    List<byte[]> bodies = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      byte[] body = bytes("{\"n\":" + i + "}");
      bodies.add(body);
      ConsumerRecord<byte[], byte[]> original = publish(1, "k", body);
      send(original, letter(original, "e" + i, "no stock", "inventory"), 1);
    }

    KafkaReplay result = letters.replay(letters.find(ALL, false), DECISION);

    assertThat(result.replayed()).hasSize(25);
    assertThat(records(topic).subList(25, 50))
        .extracting(ConsumerRecord::value)
        .containsExactlyElementsOf(bodies);
    assertThat(letters.find(ALL, false)).isEmpty();
  }

  @Test
  void whatIsNoJsonAndWhatIsNothingComesBackToo() {
    byte[] binary = {0, (byte) 0xff, 10};
    giveUp(publish(0, "k", binary), "e1", "x", "inventory");
    giveUp(publish(1, "k", null), null, "x", "inventory");

    assertThat(letters.replay(letters.find(ALL, false), DECISION).failed()).isEmpty();

    List<ConsumerRecord<byte[], byte[]>> records = records(topic);
    assertThat(records).hasSize(4);
    assertThat(records.stream().filter(record -> Arrays.equals(record.value(), binary))).hasSize(2);
    assertThat(records.stream().filter(record -> record.value() == null)).hasSize(2);
  }

  @Test
  void anOmittedBodyIsFetchedFromWhereItWas() {
    publish(0, "other", bytes("0"));
    ConsumerRecord<byte[], byte[]> original = publish(0, "k", bytes("\"large\""));
    send(original, letter(original, "e1", "x", "inventory").withoutBody(), 0);
    List<KafkaDeadLetterRef> open = letters.find(ALL, false);
    assertThat(letters.read(open).get(0).content().kept()).isEqualTo(Kept.OMITTED);

    assertThat(letters.replay(open, DECISION).failed()).isEmpty();

    assertThat(records(topic).get(2).value()).isEqualTo(bytes("\"large\""));
  }

  @Test
  void whatCannotBeReplayedStaysOpenAndTheOthersGoOn() throws Exception {
    ConsumerRecord<byte[], byte[]> gone = publish(0, "k", bytes("\"large\""));
    send(gone, letter(gone, "gone", "x", "inventory").withoutBody(), 0);
    write(new ProducerRecord<>(topic + ".dlt", 0, bytes("k"), bytes("no letter at all")));
    giveUp(elsewhere(), "nowhere", "x", "inventory");
    giveUp(publish(1, "k", bytes("1")), "good", "x", "inventory");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin
          .deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(1)))
          .all()
          .get();
    }

    KafkaReplay result = letters.replay(letters.find(ALL, false), DECISION, Set.of("nowhere"));

    assertThat(result.replayed()).extracting(KafkaDeadLetterRef::eventId).containsExactly("good");
    assertThat(result.failed().values())
        .satisfiesExactlyInAnyOrder(
            reason -> assertThat(reason).contains("which is gone from " + topic),
            reason -> assertThat(reason).isEqualTo("it does not hold the original event"),
            reason -> assertThat(reason).isEqualTo("topic nowhere does not exist"));
    assertThat(letters.find(ALL, false)).hasSize(3);
  }

  @Test
  void aLetterIsNotReplayedToATopicThatIsNotItsOwnUnlessAllowed() {
    String payments = "payments-" + UUID.randomUUID();
    kafka.createTopic(payments, 1);
    giveUp(publish(0, "k", bytes("1")), "good", "x", "inventory");
    giveUp(new ConsumerRecord<>(payments, 0, 0, bytes("k"), bytes("2")), "forged", "x", "i");
    giveUp(new ConsumerRecord<>(topic + ".dlt", 0, 0, bytes("k"), bytes("3")), "loop", "x", "i");

    KafkaReplay result = letters.replay(letters.find(ALL, false), DECISION);

    assertThat(result.replayed()).extracting(KafkaDeadLetterRef::eventId).containsExactly("good");
    assertThat(result.failed().values())
        .hasSize(2)
        .allSatisfy(reason -> assertThat(reason).contains("only letters of " + topic))
        .anySatisfy(reason -> assertThat(reason).contains("it names topic " + payments));
    assertThat(records(payments)).isEmpty();
    List<KafkaDeadLetterRef> open = letters.find(ALL, false);
    assertThat(open).hasSize(2);

    assertThat(letters.replay(open, DECISION, Set.of(payments)).replayed())
        .extracting(KafkaDeadLetterRef::eventId)
        .containsExactly("forged");
    assertThat(records(payments)).hasSize(1);
  }

  @Test
  void whatIsNeverAcknowledgedIsNotWaitedForForEver() {
    giveUp(publish(0, "k", bytes("1")), "e1", "x", "inventory");
    // As a producer that never gets its id from the cluster: it acknowledges nothing, nor fails.
    MockProducer<byte[], byte[]> silent =
        new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    try (DeadLetterReplay replay =
        new DeadLetterReplay(
            silent,
            new DeadLetterReader(clients),
            DECISION,
            Set.of(topic),
            Duration.ofMillis(100))) {
      assertThatThrownBy(() -> inTime(() -> replay.send(records(topic + ".dlt"))))
          .isInstanceOf(PostcommitException.class)
          .hasMessageContaining("0 letters were replayed")
          .hasMessageContaining("has not acknowledged")
          .hasMessageContaining("try again");
    }
    assertThat(letters.find(ALL, false)).hasSize(1);
  }

  private static void inTime(Runnable work) throws Exception {
    try {
      CompletableFuture.runAsync(work).get(10, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }

  /** R39: letters of services that know nothing of our headers. */
  @Test
  void lettersOfOtherServicesGoToTheTopicOfTheirName() {
    write(
        new ProducerRecord<>(
            topic + ".dlt",
            0,
            bytes("k"),
            bytes(
                "{\"eventId\":\"e1\",\"originalEvent\":{\"eventId\":\"e1\",\"n\":1.0},\"errorMessage\":\"x\"}")));

    assertThat(letters.replay(letters.find(ALL, false), DECISION).failed()).isEmpty();

    ConsumerRecord<byte[], byte[]> replayed = records(topic).get(0);
    assertThat(replayed.value()).isEqualTo(bytes("{\"eventId\":\"e1\",\"n\":1.0}"));
    assertThat(replayed.key()).isEqualTo(bytes("k"));
    assertThat(replayed.headers()).isEmpty();
  }

  @Test
  void aTopicThatDoesNotExistIsNamedAndNotMade() {
    for (int i = 0; i < 2; i++) {
      try (KafkaDeadLetters none = KafkaDeadLetters.open(properties, "none.dlt")) {
        assertThatThrownBy(() -> none.find(ALL, false))
            .isInstanceOf(PostcommitException.class)
            .hasMessageStartingWith("topic none.dlt does not exist");
      }
    }
  }

  @Test
  void aBrokerThatIsDownIsToldWithinSeconds() {
    Instant begin = Instant.now();
    try (KafkaDeadLetters down =
        KafkaDeadLetters.open(Map.of("bootstrap.servers", "localhost:1"), "orders.dlt")) {
      assertThatThrownBy(() -> down.find(ALL, false))
          .isInstanceOf(PostcommitException.class)
          .hasMessageContaining("Kafka at localhost:1 does not answer");
    }
    assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(15));
  }

  @Test
  void manyPartitionsAreReadInAMoment() {
    String wide = topic + "-wide.dlt";
    kafka.createTopic(wide, 30);
    for (int partition = 0; partition < 30; partition++) {
      write(new ProducerRecord<>(wide, partition, null, bytes("{\"originalEvent\":1}")));
    }
    try (KafkaDeadLetters many = KafkaDeadLetters.open(properties, wide)) {
      Instant begin = Instant.now();
      assertThat(many.find(ALL, false)).hasSize(30);
      assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(5));
    }
  }

  @Test
  void anAddressThatCannotBeResolvedIsTold() {
    assertThatThrownBy(
            () -> KafkaDeadLetters.open(Map.of("bootstrap.servers", "no.such.host.invalid:1"), "t"))
        .isInstanceOf(PostcommitException.class)
        .hasMessageContaining("no Kafka consumer could be made")
        .hasMessageContaining("bootstrap");
  }

  private void assertFound(KafkaDeadLetterFilter filter, String... ids) {
    assertThat(letters.find(filter, false))
        .extracting(KafkaDeadLetterRef::eventId)
        .containsExactlyInAnyOrder(ids);
  }

  private static KafkaDeadLetterFilter filter(
      @Nullable String type,
      @Nullable String consumer,
      @Nullable String key,
      @Nullable String error,
      @Nullable Instant from,
      @Nullable Instant before) {
    return new KafkaDeadLetterFilter(null, type, consumer, key, error, from, before);
  }

  /** What a consumer does when it gives up. */
  private void giveUp(
      ConsumerRecord<byte[], byte[]> record, @Nullable String id, String error, String consumer) {
    send(record, letter(record, id, error, consumer), null);
  }

  private DeadLetter letter(
      ConsumerRecord<byte[], byte[]> record, @Nullable String id, String error, String consumer) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (Header header : record.headers()) {
      headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
    }
    Map<String, String> origin =
        Map.of("partition", "" + record.partition(), "offset", "" + record.offset());
    return new DeadLetter(
        id,
        "order.placed",
        new ReceivedMessage(record.topic(), null, headers, record.value(), origin),
        error,
        "E",
        1,
        FAILED,
        consumer);
  }

  private void send(
      ConsumerRecord<byte[], byte[]> record, DeadLetter letter, @Nullable Integer partition) {
    ProducerRecord<byte[], byte[]> sent =
        new ProducerRecord<>(topic + ".dlt", partition, record.key(), letter.body());
    record.headers().forEach(sent.headers()::add);
    letter.headers().forEach((name, value) -> sent.headers().add(name, bytes(value)));
    write(sent);
  }

  private ConsumerRecord<byte[], byte[]> publish(
      int partition, @Nullable String key, byte @Nullable [] body, Header... headers) {
    byte[] keyBytes = key == null ? null : bytes(key);
    RecordMetadata written =
        write(new ProducerRecord<>(topic, partition, keyBytes, body, List.of(headers)));
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>(topic, partition, written.offset(), keyBytes, body);
    Arrays.asList(headers).forEach(record.headers()::add);
    return record;
  }

  private static ConsumerRecord<byte[], byte[]> elsewhere() {
    return new ConsumerRecord<>("nowhere", 0, 0, bytes("k"), bytes("1"));
  }

  private RecordMetadata write(ProducerRecord<byte[], byte[]> record) {
    try {
      return producer.send(record).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private List<ConsumerRecord<byte[], byte[]>> records(String from) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (DeadLetterReader log = new DeadLetterReader(clients)) {
      log.ends(from)
          .forEach(
              (partition, end) ->
                  log.read(new TopicPartition(from, partition), 0, end, records::addAll));
    }
    return records;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
