package dev.postcommit.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.kafka.TopicLookup.Answer;
import dev.postcommit.kafka.internal.DeliveryClassifier;
import dev.postcommit.kafka.internal.KafkaSettings;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.TransactionalPublisher.Result;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class TransactionSessionTest {
  private static final List<Message> MESSAGES = List.of(message("a"), message("b"));

  private final MockProducer<byte[], byte[]> producer = producer(true);
  private final TransactionSession session = session(producer);

  private static MockProducer<byte[], byte[]> producer(boolean answers) {
    return new MockProducer<>(answers, null, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static TransactionSession session(MockProducer<byte[], byte[]> producer) {
    return session(producer, topic -> CompletableFuture.completedFuture(Answer.WRITABLE));
  }

  private static TransactionSession session(
      MockProducer<byte[], byte[]> producer, TopicLookup lookup) {
    TransactionSession session =
        new TransactionSession(
            producer,
            checkpoint -> new ProducerRecord<>("checkpoints", checkpoint.getBytes(UTF_8)),
            lookup,
            KafkaSettings.of(Map.of("bootstrap.servers", "localhost:9092")));
    session.begin();
    return session;
  }

  private static Message message(String key) {
    return new Message("orders", key, Map.of(), new byte[1]);
  }

  private Result deliver() {
    return session.deliver(MESSAGES, () -> "here");
  }

  @Test
  void messagesAndCheckpointAreCommittedTogether() {
    assertThat(deliver()).isEqualTo(new Result.Committed());
    assertThat(producer.history()).hasSize(3);
    assertThat(producer.commitCount()).isEqualTo(1);
  }

  /** What comes of it if the first message fails after all were sent. */
  private static Result deliverWith(MockProducer<byte[], byte[]> silent, RuntimeException error) {
    return session(silent)
        .deliver(
            MESSAGES,
            () -> {
              silent.errorNext(error);
              return "here";
            });
  }

  @Test
  void aMessageThatKafkaRefusesIsToBlameAndNothingIsCommitted() {
    MockProducer<byte[], byte[]> silent = producer(false);
    assertThat(deliverWith(silent, new RecordTooLargeException("too large")))
        .isInstanceOfSatisfying(
            Result.Refused.class,
            refused -> {
              assertThat(refused.refusals()).containsOnlyKeys(0);
              assertThat(refused.refusals().get(0)).isInstanceOf(Delivery.Rejected.class);
            });
    assertThat(silent.transactionAborted()).isTrue();
    assertThat(silent.closed()).isFalse();
  }

  @Test
  void anErrorOfTheTransactionBlamesNoMessage() {
    assertThat(deliverWith(producer(false), new InvalidTxnStateException("timed out")))
        .isInstanceOf(Result.Unavailable.class);
    assertThat(deliverWith(producer(false), new NotEnoughReplicasException("one")))
        .isInstanceOf(Result.Unavailable.class);
  }

  @Test
  void aTopicThatTurnsForbiddenIsRefusedAndAskedForAgain() {
    MockProducer<byte[], byte[]> silent = producer(false);
    AtomicInteger asked = new AtomicInteger();
    TransactionSession asking =
        session(
            silent,
            topic ->
                CompletableFuture.completedFuture(
                    asked.getAndIncrement() == 0 ? Answer.WRITABLE : Answer.FORBIDDEN));
    for (int i = 0; i < 2; i++) {
      Result result =
          asking.deliver(
              List.of(message("a")),
              () -> {
                silent.errorNext(new TopicAuthorizationException("orders"));
                return "here";
              });
      assertThat(result)
          .isInstanceOfSatisfying(
              Result.Refused.class,
              refused ->
                  assertThat(refused.refusals().get(0))
                      .isInstanceOf(Delivery.TopicUnavailable.class));
    }
    assertThat(asked).hasValue(2);
    assertThat(silent.commitCount()).isZero();
  }

  @Test
  void theProducerDoesNotHearOfATopicThatIsMissing() {
    MockProducer<byte[], byte[]> other = producer(true);
    TransactionSession asking =
        session(other, topic -> CompletableFuture.completedFuture(Answer.MISSING));
    for (int i = 0; i < 3; i++) {
      assertThat(asking.deliver(List.of(message("a")), () -> "here"))
          .isEqualTo(new Result.Refused(Map.of(0, DeliveryClassifier.missing("orders"))));
    }
    assertThat(other.history()).isEmpty();
  }

  @Test
  void aMessageLargerThanARequestIsRefusedBeforeAnythingIsSent() {
    Message large = new Message("orders", "a", Map.of(), new byte[2_000_000]);
    Result result = session.deliver(List.of(message("a"), large), () -> "here");
    assertThat(result)
        .isInstanceOfSatisfying(
            Result.Refused.class,
            refused -> {
              assertThat(refused.refusals()).containsOnlyKeys(1);
              assertThat(refused.refusals().get(1)).isInstanceOf(Delivery.Rejected.class);
            });
    assertThat(producer.history()).isEmpty();
  }

  @Test
  void aCommitWithoutAnAnswerEndsTheSession() {
    producer.commitTransactionException = new TimeoutException("no answer");
    assertThat(deliver()).isInstanceOf(Result.Unavailable.class);
    assertThat(producer.closed()).isTrue();
    assertThat(deliver()).isInstanceOf(Result.Superseded.class);
  }

  @Test
  void aFencedProducerIsSuperseded() {
    producer.fenceProducer();
    assertThat(deliver()).isInstanceOf(Result.Superseded.class);
    assertThat(producer.closed()).isTrue();
  }

  @Test
  void withoutACheckpointNothingIsCommitted() {
    assertThatThrownBy(
            () ->
                session.deliver(
                    MESSAGES,
                    () -> {
                      throw new IllegalArgumentException("no checkpoint");
                    }))
        .hasMessage("no checkpoint");
    assertThat(producer.transactionAborted()).isTrue();
    assertThat(deliver()).isEqualTo(new Result.Committed());
  }
}
