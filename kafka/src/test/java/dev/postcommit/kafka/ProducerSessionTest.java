package dev.postcommit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.kafka.TopicLookup.Answer;
import dev.postcommit.kafka.internal.KafkaSettings;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Delivery.Deferred;
import dev.postcommit.relay.Delivery.HeldBack;
import dev.postcommit.relay.Delivery.Rejected;
import dev.postcommit.relay.Delivery.TopicUnavailable;
import dev.postcommit.relay.Delivery.Unavailable;
import dev.postcommit.relay.Message;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The session over a producer that delivers when the test says so. */
class ProducerSessionTest {
  private final List<String> learnt = new CopyOnWriteArrayList<>();
  private volatile boolean unknown;
  private volatile CompletableFuture<Void> metadata = CompletableFuture.completedFuture(null);
  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer()) {
        @Override
        public List<PartitionInfo> partitionsFor(String topic) {
          learnt.add(topic);
          metadata.join();
          if (unknown) {
            throw new TimeoutException("not present in metadata");
          }
          return super.partitionsFor(topic);
        }
      };
  private final PublisherThreads workers = new PublisherThreads("test");
  private final Topics topics = new Topics();

  @AfterEach
  void close() {
    workers.close();
  }

  private ProducerSession session(int deliveryMillis, int blockMillis) {
    return new ProducerSession(
        producer,
        KafkaSettings.of(
            Map.of(
                "bootstrap.servers", "localhost:9092",
                "delivery.timeout.ms", deliveryMillis,
                "max.block.ms", blockMillis)),
        topics,
        workers);
  }

  private ProducerSession session() {
    return session(60_000, 60_000);
  }

  private static Message message(String topic, String body) {
    return new Message(topic, "key", Map.of(), body.getBytes(StandardCharsets.UTF_8));
  }

  /** Sends three messages to a topic, and waits until the producer has them. */
  private List<CompletableFuture<Delivery>> three(ProducerSession session) {
    List<CompletableFuture<Delivery>> sent = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      sent.add(session.send(message("orders", "body " + i)));
    }
    await().until(() -> producer.history().size() == 3);
    return sent;
  }

  private void abortTheRest() {
    while (producer.errorNext(new KafkaException("closed"))) {
      // until nothing is left
    }
  }

  @Test
  @DisplayName("the first failure closes the producer, and all it still had ends unavailable")
  void aFailureEndsTheSession() {
    ProducerSession session = session();
    List<CompletableFuture<Delivery>> sent = three(session);

    producer.errorNext(new NotEnoughReplicasException("one of two"));

    assertThat(producer.closed()).isTrue();
    assertThat(sent.get(0)).isCompletedWithValueMatching(Deferred.class::isInstance);
    assertThat(sent.get(1)).isNotDone();
    abortTheRest();
    assertThat(sent.subList(1, 3))
        .allSatisfy(
            other -> assertThat(other).isCompletedWithValueMatching(Unavailable.class::isInstance));
    assertThat(session.isDrained()).isTrue();
  }

  @Test
  @DisplayName("until all that a fenced session had has ended, it takes nothing and is not drained")
  void aFencedSessionTakesNothing() {
    ProducerSession session = session();
    List<CompletableFuture<Delivery>> sent = three(session);

    producer.errorNext(new NotEnoughReplicasException("one of two"));
    CompletableFuture<Delivery> late = session.send(message("orders", "late"));
    CompletableFuture<Delivery> elsewhere = session.send(message("elsewhere", "late"));

    assertThat(late).isCompletedWithValueMatching(Unavailable.class::isInstance);
    assertThat(elsewhere).isCompletedWithValueMatching(Unavailable.class::isInstance);
    assertThat(session.isDrained()).isFalse();
    assertThat(producer.history()).hasSameSizeAs(sent);
    abortTheRest();
    assertThat(session.isDrained()).isTrue();
  }

  @Test
  @DisplayName("R22: a message refused for good does not end the session")
  void aRejectionStandsAlone() {
    ProducerSession session = session();
    List<CompletableFuture<Delivery>> sent = three(session);

    producer.errorNext(new RecordTooLargeException("2 MiB"));
    producer.completeNext();
    producer.completeNext();

    assertThat(sent.get(0)).isCompletedWithValueMatching(Rejected.class::isInstance);
    assertThat(sent.get(1)).isCompletedWithValue(Delivery.DELIVERED);
    assertThat(sent.get(2)).isCompletedWithValue(Delivery.DELIVERED);
    assertThat(session.isEnding()).isFalse();
    assertThat(producer.closed()).isFalse();
  }

  @Test
  @DisplayName("R22: of a batch spoilt by one message, that one is rejected and none is counted")
  void theCulpritOfABatchIsFound() {
    ProducerSession session = session();
    List<CompletableFuture<Delivery>> sent = three(session);

    producer.errorNext(new KafkaException("part of a batch with invalid records"));
    producer.errorNext(new InvalidRecordException("no key"));
    producer.errorNext(new KafkaException("part of a batch with invalid records"));

    assertThat(sent.get(0)).isCompletedWithValueMatching(Unavailable.class::isInstance);
    assertThat(sent.get(1)).isCompletedWithValueMatching(Rejected.class::isInstance);
    assertThat(sent.get(2)).isCompletedWithValueMatching(Unavailable.class::isInstance);
    assertThat(session.isDrained()).isTrue();
  }

  @Test
  void timeoutsAreNobodysAttemptIfTheClusterAnswers() {
    ProducerSession session = session();
    List<CompletableFuture<Delivery>> sent = three(session);
    topics.answers.put("orders", new CompletableFuture<>());

    producer.errorNext(new TimeoutException("20 s"));
    abortTheRest();

    assertThat(producer.closed()).isTrue();
    assertThat(sent.get(0)).isNotDone();
    assertThat(session.isDrained()).isFalse();
    topics.answers.get("orders").complete(Answer.WRITABLE);
    assertThat(sent.get(0)).isCompletedWithValueMatching(Deferred.class::isInstance);
    assertThat(session.isDrained()).isTrue();
  }

  @Test
  void timeoutsMeanAnUnavailableClusterIfItDoesNotAnswer() {
    ProducerSession session = session();
    List<CompletableFuture<Delivery>> sent = three(session);
    topics.answers.put("orders", CompletableFuture.failedFuture(new TimeoutException("3 s")));

    producer.errorNext(new TimeoutException("20 s"));
    producer.errorNext(new TimeoutException("20 s"));
    abortTheRest();

    assertThat(sent)
        .allSatisfy(
            each -> assertThat(each).isCompletedWithValueMatching(Unavailable.class::isInstance));
    assertThat(topics.asked).hasValue(2); // once to learn of the topic, once for both timeouts
  }

  @Test
  void aProducerThatDeliversNothingFromTheStartIsGivenUp() {
    ProducerSession session = session(400, 60_000);
    List<CompletableFuture<Delivery>> sent = three(session);
    topics.answers.put("orders", CompletableFuture.failedFuture(new TimeoutException("3 s")));

    await().until(producer::closed);
    assertThat(session.isEnding()).isTrue();
    abortTheRest();
    assertThat(sent)
        .allSatisfy(
            each -> assertThat(each).isCompletedWithValueMatching(Unavailable.class::isInstance));
  }

  @Test
  @DisplayName(
      "a topic that takes nothing from the start defers its messages if the cluster answers")
  void aTopicThatTakesNothingFromTheStart() {
    ProducerSession session = session(400, 60_000);
    List<CompletableFuture<Delivery>> sent = three(session);

    await().until(producer::closed);
    abortTheRest();

    assertThat(sent.get(0))
        .isCompletedWithValue(
            new Deferred(
                "topic orders takes no message in time; do its partitions have a leader and enough"
                    + " replicas in sync?",
                null));
    assertThat(sent.subList(1, 3))
        .allSatisfy(later -> assertThat(later).isCompletedWithValue(Delivery.HELD_BACK));
    assertThat(session.isDrained()).isTrue();
  }

  @Test
  @DisplayName(
      "of messages that wait for a topic the first of each key is refused, and holds back others")
  void theFirstOfAKeyIsRefused() {
    ProducerSession session = session();
    topics.answers.put("missing", new CompletableFuture<>());
    List<CompletableFuture<Delivery>> waiting = new ArrayList<>();
    for (String key : new String[] {"a", "b", "a", null, "b", null}) {
      waiting.add(session.send(new Message("missing", key, Map.of(), new byte[1])));
    }

    topics.answers.get("missing").complete(Answer.MISSING);

    assertThat(waiting.stream().map(CompletableFuture::join).map(Object::getClass))
        .containsExactly(
            TopicUnavailable.class,
            TopicUnavailable.class,
            HeldBack.class,
            TopicUnavailable.class,
            HeldBack.class,
            TopicUnavailable.class);
  }

  @Test
  @DisplayName("the producer is not told of topics that are missing or forbidden, and goes on")
  void theProducerDoesNotHearOfTopicsItCannotUse() {
    ProducerSession session = session();
    topics.answers.put("missing", CompletableFuture.completedFuture(Answer.MISSING));
    topics.answers.put("forbidden", CompletableFuture.completedFuture(Answer.FORBIDDEN));

    for (int i = 0; i < 100; i++) {
      assertThat(session.send(message("missing", "body")))
          .isCompletedWithValueMatching(TopicUnavailable.class::isInstance);
      assertThat(session.send(message("forbidden", "body")))
          .isCompletedWithValueMatching(TopicUnavailable.class::isInstance);
    }
    assertThat(topics.asked).hasValue(2);
    assertThat(learnt).isEmpty();
    assertThat(session.isEnding()).isFalse();
    three(session);
    assertThat(learnt).containsExactly("orders");
  }

  @Test
  @DisplayName(
      "the producer asks once for a topic that may be created, and then the cluster is asked")
  void creationIsTriedOnce() {
    ProducerSession session = session();
    topics.answers.put("new", CompletableFuture.completedFuture(Answer.CREATABLE));
    unknown = true;

    CompletableFuture<Delivery> first = session.send(message("new", "body"));
    await().until(first::isDone);
    assertThat(first).isCompletedWithValueMatching(TopicUnavailable.class::isInstance);
    await()
        .until(
            () -> {
              assertThat(session.send(message("new", "body")))
                  .isCompletedWithValueMatching(TopicUnavailable.class::isInstance);
              return topics.asked.get() == 2;
            });
    assertThat(learnt).containsExactly("new");
  }

  @Test
  @DisplayName("a topic whose creation had to wait for that of another is still created")
  void creationThatWaitedTooLongIsTriedLater() {
    ProducerSession session = session(60_000, 200);
    topics.answers.put("slow", CompletableFuture.completedFuture(Answer.CREATABLE));
    topics.answers.put("new", CompletableFuture.completedFuture(Answer.CREATABLE));
    metadata = new CompletableFuture<>();

    CompletableFuture<Delivery> slow = session.send(message("slow", "body"));
    CompletableFuture<Delivery> queued = session.send(message("new", "body"));
    await().until(() -> slow.isDone() && queued.isDone());
    assertThat(queued).isCompletedWithValueMatching(TopicUnavailable.class::isInstance);
    assertThat(learnt).containsExactly("slow");

    metadata.complete(null);
    await()
        .until(
            () -> {
              var unused = session.send(message("new", "body"));
              return learnt.contains("new");
            });
  }

  @Test
  @DisplayName("a topic that turns forbidden ends the session, lest a later message overtakes")
  void aTopicTurnsForbidden() {
    ProducerSession session = session();
    List<CompletableFuture<Delivery>> sent = three(session);

    producer.errorNext(new TopicAuthorizationException("orders"));
    abortTheRest();

    assertThat(sent.get(0)).isCompletedWithValueMatching(TopicUnavailable.class::isInstance);
    assertThat(sent.subList(1, 3))
        .allSatisfy(
            other -> assertThat(other).isCompletedWithValueMatching(Unavailable.class::isInstance));
    assertThat(producer.closed()).isTrue();
  }

  @Test
  @DisplayName("a topic that is deleted makes its messages wait for it")
  void aTopicIsDeleted() {
    ProducerSession session = session();
    List<CompletableFuture<Delivery>> sent = three(session);
    topics.answers.put("orders", CompletableFuture.completedFuture(Answer.MISSING));

    producer.errorNext(new UnknownTopicOrPartitionException("orders"));
    abortTheRest();

    assertThat(sent.get(0)).isCompletedWithValueMatching(TopicUnavailable.class::isInstance);
  }

  @Test
  @DisplayName("messages to a topic not known yet wait in order and delay no others")
  void messagesWaitForTheirTopic() {
    ProducerSession session = session();
    topics.answers.put("new", new CompletableFuture<>());

    List<CompletableFuture<Delivery>> waiting = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      waiting.add(session.send(message("new", "body " + i)));
    }
    three(session);
    assertThat(waiting).noneMatch(CompletableFuture::isDone);

    topics.answers.get("new").complete(Answer.WRITABLE);
    await().until(() -> producer.history().size() == 103);
    assertThat(producer.history().subList(3, 103))
        .extracting(record -> new String(record.value(), StandardCharsets.UTF_8))
        .containsExactlyElementsOf(IntStream.range(0, 100).mapToObj(i -> "body " + i).toList());
    assertThat(topics.asked).hasValue(2);
  }

  @Test
  @DisplayName("a topic the cluster does not tell of makes its messages unavailable, in time")
  void silenceAboutATopicEnds() {
    ProducerSession session = session(60_000, 100);
    topics.answers.put("new", new CompletableFuture<>());

    CompletableFuture<Delivery> waiting = session.send(message("new", "body"));

    await().until(waiting::isDone);
    assertThat(waiting).isCompletedWithValueMatching(Unavailable.class::isInstance);
    assertThat(session.isEnding()).isFalse();
  }

  @Test
  @DisplayName("R22: the answer to one message to a refused topic serves the next without asking")
  void refusalsAreRemembered() {
    ProducerSession session = session();
    topics.answers.put(
        "bad/name", CompletableFuture.failedFuture(new InvalidTopicException("bad/name")));

    for (int i = 0; i < 500; i++) {
      assertThat(session.send(message("bad/name", "body")))
          .isCompletedWithValueMatching(Rejected.class::isInstance);
    }
    assertThat(topics.asked).hasValue(1);
    assertThat(session.isEnding()).isFalse();
  }

  @Test
  void aFailureElsewhereEndsWhatWaitsForATopic() {
    ProducerSession session = session();
    three(session);
    topics.answers.put("new", new CompletableFuture<>());
    CompletableFuture<Delivery> waiting = session.send(message("new", "body"));

    producer.errorNext(new NotEnoughReplicasException("one of two"));

    assertThat(waiting).isCompletedWithValueMatching(Unavailable.class::isInstance);
    topics.answers.get("new").complete(Answer.WRITABLE);
    assertThat(producer.history()).hasSize(3);
  }

  @Test
  void aProducerThatThrowsIsReplaced() {
    ProducerSession session = session();
    three(session);
    producer.sendException = new KafkaException("in an error state");

    CompletableFuture<Delivery> thrown = session.send(message("orders", "body"));

    assertThat(thrown).isCompletedWithValueMatching(Unavailable.class::isInstance);
    assertThat(session.isEnding()).isTrue();
    await().until(producer::closed);
  }

  /** A cluster that has every topic, unless told otherwise. */
  private static final class Topics implements TopicLookup {
    private final Map<String, CompletableFuture<Answer>> answers = new ConcurrentHashMap<>();
    private final AtomicInteger asked = new AtomicInteger();

    @Override
    public CompletionStage<Answer> ask(String topic) {
      asked.incrementAndGet();
      return answers.getOrDefault(topic, CompletableFuture.completedFuture(Answer.WRITABLE));
    }
  }
}
