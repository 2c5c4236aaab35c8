package dev.postcommit.kafka.internal;

import static dev.postcommit.kafka.internal.DeliveryClassifier.Verdict.DEFERRED;
import static dev.postcommit.kafka.internal.DeliveryClassifier.Verdict.FORBIDDEN;
import static dev.postcommit.kafka.internal.DeliveryClassifier.Verdict.MISTIMED;
import static dev.postcommit.kafka.internal.DeliveryClassifier.Verdict.REJECTED;
import static dev.postcommit.kafka.internal.DeliveryClassifier.Verdict.RETRYABLE;
import static dev.postcommit.kafka.internal.DeliveryClassifier.Verdict.UNANSWERED;
import static dev.postcommit.kafka.internal.DeliveryClassifier.Verdict.UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.kafka.internal.DeliveryClassifier.Verdict;
import dev.postcommit.relay.Delivery;
import dev.postcommit.support.Wrappers;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class DeliveryClassifierTest {
  private static final Set<Errors> REJECTING =
      EnumSet.of(
          Errors.MESSAGE_TOO_LARGE,
          Errors.RECORD_LIST_TOO_LARGE,
          Errors.INVALID_RECORD,
          Errors.INVALID_TOPIC_EXCEPTION,
          Errors.POLICY_VIOLATION,
          Errors.UNSUPPORTED_FOR_MESSAGE_FORMAT);

  private static final Set<Errors> DISABLING =
      EnumSet.of(
          Errors.NETWORK_EXCEPTION,
          Errors.BROKER_NOT_AVAILABLE,
          Errors.REBOOTSTRAP_REQUIRED,
          Errors.CLUSTER_AUTHORIZATION_FAILED,
          Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
          Errors.UNSUPPORTED_SASL_MECHANISM,
          Errors.ILLEGAL_SASL_STATE,
          Errors.SASL_AUTHENTICATION_FAILED,
          Errors.UNSUPPORTED_VERSION,
          Errors.UNSUPPORTED_COMPRESSION_TYPE,
          Errors.PRODUCER_FENCED,
          Errors.INVALID_PRODUCER_EPOCH,
          Errors.INVALID_PRODUCER_ID_MAPPING,
          Errors.OUT_OF_ORDER_SEQUENCE_NUMBER,
          Errors.UNKNOWN_PRODUCER_ID,
          Errors.INVALID_TXN_STATE,
          Errors.TRANSACTION_COORDINATOR_FENCED,
          Errors.TRANSACTION_ABORTABLE);

  private static final Set<Errors> UNCLEAR =
      EnumSet.of(
          Errors.REQUEST_TIMED_OUT, Errors.UNKNOWN_TOPIC_OR_PARTITION, Errors.UNKNOWN_TOPIC_ID);

  /** What a producer may be told by a cluster that works, and that is no message's fault. */
  private static final Set<Errors> DEFERRING =
      EnumSet.of(
          Errors.LEADER_NOT_AVAILABLE,
          Errors.NOT_LEADER_OR_FOLLOWER,
          Errors.REPLICA_NOT_AVAILABLE,
          Errors.NOT_ENOUGH_REPLICAS,
          Errors.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
          Errors.KAFKA_STORAGE_ERROR,
          Errors.FENCED_LEADER_EPOCH,
          Errors.UNKNOWN_LEADER_EPOCH,
          Errors.COORDINATOR_LOAD_IN_PROGRESS,
          Errors.COORDINATOR_NOT_AVAILABLE,
          Errors.NOT_COORDINATOR,
          Errors.CONCURRENT_TRANSACTIONS,
          Errors.THROTTLING_QUOTA_EXCEEDED,
          Errors.NOT_CONTROLLER,
          Errors.LISTENER_NOT_FOUND,
          Errors.PREFERRED_LEADER_NOT_AVAILABLE,
          Errors.ELIGIBLE_LEADERS_NOT_AVAILABLE,
          Errors.INCONSISTENT_TOPIC_ID);

  private static Map<Errors, Verdict> expected() {
    Map<Errors, Verdict> expected = new EnumMap<>(Errors.class);
    for (Errors error : Errors.values()) {
      boolean isTransient = error.exception() instanceof RetriableException;
      expected.put(error, isTransient ? DEFERRED : RETRYABLE);
    }
    REJECTING.forEach(error -> expected.put(error, REJECTED));
    DISABLING.forEach(error -> expected.put(error, UNAVAILABLE));
    UNCLEAR.forEach(error -> expected.put(error, UNANSWERED));
    DEFERRING.forEach(error -> expected.put(error, DEFERRED));
    expected.put(Errors.TOPIC_AUTHORIZATION_FAILED, FORBIDDEN);
    expected.put(Errors.INVALID_TIMESTAMP, MISTIMED);
    expected.put(Errors.CORRUPT_MESSAGE, RETRYABLE);
    expected.put(Errors.UNKNOWN_SERVER_ERROR, RETRYABLE);
    expected.remove(Errors.NONE);
    return expected;
  }

  @Test
  void everyErrorOfTheProtocolHasItsVerdict() {
    Map<Errors, Verdict> actual = new EnumMap<>(Errors.class);
    for (Errors error : Errors.values()) {
      if (error != Errors.NONE) {
        actual.put(error, DeliveryClassifier.verdict(error.exception()));
      }
    }
    assertThat(actual).isEqualTo(expected());
  }

  @Test
  void everyFailureOfTheClientsHasItsVerdict() {
    verdict(new SerializationException(), REJECTED);
    verdict(new RecordTooLargeException(), REJECTED);
    verdict(new DisconnectException(), UNAVAILABLE);
    verdict(new AuthenticationException("no"), UNAVAILABLE);
    verdict(new SslAuthenticationException("no"), UNAVAILABLE);
    verdict(new ConfigException("no"), UNAVAILABLE);
    verdict(new TransactionAbortedException(), UNAVAILABLE);
    verdict(new BufferExhaustedException("full"), UNAVAILABLE);
    verdict(new KafkaException("Producer is closed forcefully."), UNAVAILABLE);
    verdict(new InterruptException("stop"), UNAVAILABLE);
    assertThat(Thread.interrupted()).isTrue();
    verdict(new TimeoutException(), UNANSWERED);
    verdict(new RetriableException("later") {}, DEFERRED);
    verdict(new KafkaException("unknown") {}, RETRYABLE);
    verdict(new IllegalStateException(), RETRYABLE);
  }

  private static void verdict(RuntimeException error, Verdict verdict) {
    assertThat(DeliveryClassifier.verdict(error)).as("%s", error).isEqualTo(verdict);
  }

  @Test
  void theTextOfAnExceptionDoesNotMatter() {
    verdict(new IllegalStateException(Errors.MESSAGE_TOO_LARGE.message()), RETRYABLE);
    verdict(new RecordTooLargeException("TimeoutException"), REJECTED);
  }

  @Test
  void eachOutcomeNamesItsCause() {
    RuntimeException tooLarge = new RecordTooLargeException("2 MiB");
    assertThat(DeliveryClassifier.delivery("orders", tooLarge))
        .isEqualTo(
            new Delivery.Rejected("Kafka refuses it: RecordTooLargeException: 2 MiB", tooLarge));
    RuntimeException timeout = new TimeoutException();
    assertThat(DeliveryClassifier.delivery("orders", timeout))
        .isEqualTo(
            new Delivery.Unavailable("Kafka does not answer in time: TimeoutException", timeout));
    RuntimeException unknown = new IllegalStateException("what?");
    assertThat(DeliveryClassifier.delivery("orders", unknown))
        .isEqualTo(new Delivery.Retryable("IllegalStateException: what?", unknown));
    RuntimeException replicas = new NotEnoughReplicasException("1 of 2 at 12:03");
    assertThat(DeliveryClassifier.delivery("orders", replicas))
        .isEqualTo(
            new Delivery.Deferred(
                "topic orders takes no message now: NotEnoughReplicasException", replicas));
    RuntimeException forbidden = new TopicAuthorizationException("no");
    assertThat(DeliveryClassifier.delivery("orders", forbidden))
        .isEqualTo(
            new Delivery.TopicUnavailable(
                "topic orders may not be written to; allow it: kafka-acls --add --allow-principal"
                    + " User:... --operation Write --topic orders",
                forbidden));
  }

  @Test
  void noMessageIsToBlameForWhatTheClusterSaysOfItsTopic() {
    for (Errors error : Errors.values()) {
      if (error != Errors.NONE && error != Errors.INVALID_TOPIC_EXCEPTION) {
        assertThat(DeliveryClassifier.unlearnt("orders", error.exception()))
            .isInstanceOfAny(
                Delivery.Deferred.class,
                Delivery.TopicUnavailable.class,
                Delivery.Unavailable.class);
      }
    }
    assertThat(DeliveryClassifier.unlearnt("or/ders", new InvalidTopicException("or/ders")))
        .isInstanceOf(Delivery.Rejected.class);
  }

  @Test
  void looksIntoTheExceptionsOfFutures() {
    RuntimeException cause = new TimeoutException();
    Throwable wrapped = new CompletionException(new ExecutionException(cause));
    assertThat(Wrappers.unwrap(wrapped)).isSameAs(cause);
    assertThat(Wrappers.unwrap(cause)).isSameAs(cause);
  }
}
