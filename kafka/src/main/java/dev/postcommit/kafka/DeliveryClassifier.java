package dev.postcommit.kafka;

import dev.postcommit.internal.ErrorText;
import dev.postcommit.relay.Delivery;
import java.util.List;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.BrokerNotAvailableException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RebootstrapRequiredException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** What a failure of Kafka's means for a message, told by the type of the exception alone. */
final class DeliveryClassifier {

  /** The kinds of failure. */
  enum Verdict {
    /** Kafka will never take this message. */
    REJECTED,
    /** Producer or cluster as a whole do not work; this message is not to blame. */
    UNAVAILABLE,
    /** Time ran out; only the cluster can tell whether it, the topic or a partition is to blame. */
    UNANSWERED,
    /** This attempt failed. */
    RETRYABLE
  }

  private static final List<Class<? extends KafkaException>> REJECTED =
      List.of(
          RecordTooLargeException.class,
          RecordBatchTooLargeException.class,
          InvalidRecordException.class,
          InvalidTimestampException.class,
          InvalidTopicException.class,
          PolicyViolationException.class,
          SerializationException.class,
          TopicAuthorizationException.class,
          UnsupportedForMessageFormatException.class);

  private static final List<Class<? extends KafkaException>> UNAVAILABLE =
      List.of(
          // no connection
          NetworkException.class,
          DisconnectException.class,
          BrokerNotAvailableException.class,
          RebootstrapRequiredException.class,
          // no permission, or no common language
          AuthenticationException.class,
          ClusterAuthorizationException.class,
          TransactionalIdAuthorizationException.class,
          UnsupportedVersionException.class,
          UnsupportedCompressionTypeException.class,
          ConfigException.class,
          // this producer is at its end, and another may do better
          ProducerFencedException.class,
          InvalidProducerEpochException.class,
          InvalidPidMappingException.class,
          OutOfOrderSequenceException.class,
          TransactionAbortedException.class,
          // this process takes a break, or is faster than the cluster
          InterruptException.class,
          BufferExhaustedException.class);

  private DeliveryClassifier() {}

  static Verdict verdict(Throwable error) {
    if (isAny(REJECTED, error)) {
      return Verdict.REJECTED;
    }
    // The plain exception is what records get that share the fate of another: of a record that
    // spoilt their batch, or of a producer that was closed.
    if (isAny(UNAVAILABLE, error) || error.getClass() == KafkaException.class) {
      return Verdict.UNAVAILABLE;
    }
    return error instanceof TimeoutException ? Verdict.UNANSWERED : Verdict.RETRYABLE;
  }

  /** The outcome of a message whose delivery ended in {@code error}. */
  static Delivery delivery(Throwable error) {
    return switch (verdict(error)) {
      case REJECTED -> new Delivery.Rejected("Kafka refuses it: " + ErrorText.of(error), error);
      case UNAVAILABLE -> new Delivery.Unavailable(ErrorText.of(error), error);
      case UNANSWERED ->
          new Delivery.Unavailable("Kafka does not answer in time: " + ErrorText.of(error), error);
      case RETRYABLE -> new Delivery.Retryable(ErrorText.of(error), error);
    };
  }

  /** The outcome of a message to a topic the cluster does not have. */
  static Delivery missing(String topic) {
    return new Delivery.Retryable(
        "topic %s does not exist; create it, or let the brokers create topics when they are used"
            .formatted(topic),
        null);
  }

  private static boolean isAny(List<Class<? extends KafkaException>> types, Throwable error) {
    return types.stream().anyMatch(type -> type.isInstance(error));
  }
}
