package dev.postcommit.kafka.internal;

import dev.postcommit.relay.Delivery;
import dev.postcommit.support.ErrorText;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.BrokerNotAvailableException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RebootstrapRequiredException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.errors.TransactionCoordinatorFencedException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;

/**
 * What a failure of Kafka's means for a message. The type of the exception decides, with one
 * exception whose text is needed.
 *
 * <p>Only failures that the message itself may have caused count as attempts of its event. All
 * others are the cluster's: the event waits, however long that takes, and no attempt counts.
 *
 * <table>
 * <caption>Failures of a message, by the first line that fits</caption>
 * <tr><th>failure</th><th>verdict</th></tr>
 * <tr><td>Its timestamp is out of the topic's range. The timestamp comes from this machine's clock,
 *     not from the event.</td>
 *     <td>mistimed: the topic as a whole waits for the clock to be set</td></tr>
 * <tr><td>The record is too large or invalid, its topic's name is not allowed, it cannot be
 *     serialized, or the cluster has a policy against it. (Kafka itself has no policies for records;
 *     a proxy before it that refuses one refuses this very record.)</td>
 *     <td>rejected: it would be refused for ever</td></tr>
 * <tr><td>The producer has no right to write to the topic.</td>
 *     <td>forbidden: the topic as a whole waits for an ACL</td></tr>
 * <tr><td>No connection; no authentication, or no right to use the cluster; a version or setting that
 *     does not fit; a producer or transaction that is at its end; a full buffer.</td>
 *     <td>unavailable: no message would fare better with this producer now</td></tr>
 * <tr><td>Time ran out, or the broker does not know the topic or partition.</td>
 *     <td>unanswered: the cluster is asked about the topic. If it does not answer, it is unavailable;
 *     if the topic is missing or forbidden, that is it; else the message is deferred</td></tr>
 * <tr><td>The record arrived damaged. Kafka calls that transient, but a record may be damaged by its
 *     own content as well.</td>
 *     <td>retryable: an attempt that counts</td></tr>
 * <tr><td>All else that Kafka calls transient: no leader or another one, a leader of another epoch,
 *     too few replicas in sync, an error of a broker's disk, a coordinator that moves or loads, a
 *     quota that is used up.</td>
 *     <td>deferred: due later, no attempt counts</td></tr>
 * <tr><td>The rest, such as an error that the broker did not expect while it handled the record.</td>
 *     <td>retryable: an attempt that counts, as the record may be what the broker stumbles
 *     over</td></tr>
 * </table>
 */
public final class DeliveryClassifier {

  /** The kinds of failure. */
  public enum Verdict {
    /** Kafka will never take this message. */
    REJECTED,
    /** Messages to this topic may not be sent. */
    FORBIDDEN,
    /** The clock of this machine is so wrong that the topic takes none of its messages. */
    MISTIMED,
    /** Producer or cluster as a whole do not work; this message is not to blame. */
    UNAVAILABLE,
    /** Only the cluster can tell whether it, the topic or a partition is to blame. */
    UNANSWERED,
    /** The cluster works and cannot take this message now; the message is not to blame. */
    DEFERRED,
    /** This attempt failed, and the message may be to blame. */
    RETRYABLE
  }

  private static final Pattern OUT_OF_RANGE =
      Pattern.compile("Timestamp -?\\d+ of message with offset \\d+ is out of range");

  private static final List<Class<? extends KafkaException>> REJECTED =
      List.of(
          RecordTooLargeException.class,
          RecordBatchTooLargeException.class,
          InvalidRecordException.class,
          InvalidTopicException.class,
          PolicyViolationException.class,
          SerializationException.class,
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
          TransactionAbortableException.class,
          TransactionCoordinatorFencedException.class,
          InvalidTxnStateException.class,
          // this process takes a break, or is faster than the cluster
          InterruptException.class,
          BufferExhaustedException.class);

  private static final List<Class<? extends KafkaException>> UNANSWERED =
      List.of(
          TimeoutException.class,
          UnknownTopicOrPartitionException.class,
          UnknownTopicIdException.class);

  private DeliveryClassifier() {}

  public static Verdict verdict(Throwable error) {
    if (isMistimed(error)) {
      return Verdict.MISTIMED;
    }
    if (isAny(REJECTED, error)) {
      return Verdict.REJECTED;
    }
    if (error instanceof TopicAuthorizationException) {
      return Verdict.FORBIDDEN;
    }
    // The plain exception is what records get that share the fate of another: of a record that
    // spoilt their batch, or of a producer that was closed.
    if (isAny(UNAVAILABLE, error) || error.getClass() == KafkaException.class) {
      return Verdict.UNAVAILABLE;
    }
    if (isAny(UNANSWERED, error)) {
      return Verdict.UNANSWERED;
    }
    return error instanceof RetriableException && !(error instanceof CorruptRecordException)
        ? Verdict.DEFERRED
        : Verdict.RETRYABLE;
  }

  /** The outcome of a message to {@code topic} whose delivery ended in {@code error}. */
  public static Delivery delivery(String topic, Throwable error) {
    return switch (verdict(error)) {
      case REJECTED -> new Delivery.Rejected("Kafka refuses it: " + ErrorText.of(error), error);
      case FORBIDDEN -> forbidden(topic, error);
      case MISTIMED -> mistimed(topic, error);
      case UNAVAILABLE -> new Delivery.Unavailable(ClientErrors.text(error), error);
      case UNANSWERED ->
          new Delivery.Unavailable("Kafka does not answer in time: " + ErrorText.of(error), error);
      case DEFERRED -> deferred(topic, error);
      case RETRYABLE -> new Delivery.Retryable(ErrorText.of(error), error);
    };
  }

  /**
   * The outcome of a message when the question about its topic ended in {@code error}. No message
   * is to blame for that, unless it names a topic that no cluster can have.
   */
  public static Delivery unlearnt(String topic, Throwable error) {
    boolean blamesMessage =
        switch (verdict(error)) {
          case REJECTED -> !(error instanceof InvalidTopicException);
          case RETRYABLE -> true;
          default -> false;
        };
    return blamesMessage ? deferred(topic, error) : delivery(topic, error);
  }

  /** The outcome of a message that a topic did not take in time, though it exists. */
  public static Delivery late(String topic) {
    return new Delivery.Deferred(
        "topic %s takes no message in time; do its partitions have a leader and enough replicas in sync?"
            .formatted(topic),
        null);
  }

  private static Delivery deferred(String topic, Throwable error) {
    // Without the error's text, which may differ each time.
    return new Delivery.Deferred(
        "topic %s takes no message now: %s".formatted(topic, error.getClass().getSimpleName()),
        error);
  }

  /** The outcome of a message to a topic the cluster does not have. */
  public static Delivery missing(String topic) {
    return new Delivery.TopicUnavailable(
        "topic %s does not exist; create it: kafka-topics --create --topic %s"
            .formatted(topic, topic),
        null);
  }

  /** The outcome of a message to a topic to which this client has no right to write. */
  public static Delivery forbidden(String topic, @Nullable Throwable error) {
    return new Delivery.TopicUnavailable(
        "topic %s may not be written to; allow it: kafka-acls --add --allow-principal User:..."
                .formatted(topic)
            + " --operation Write --topic "
            + topic,
        error);
  }

  /** The outcome of a message whose timestamp is out of range. */
  private static Delivery mistimed(String topic, Throwable error) {
    return new Delivery.TopicUnavailable(
        "topic %s refuses messages for their time, which is that of the relay's clock; set the clock,"
                .formatted(topic)
            + " or the limits of the topic (message.timestamp.after.max.ms,"
            + " message.timestamp.before.max.ms)",
        error);
  }

  /**
   * Whether the timestamp of a record is out of range. If several records of a batch are refused,
   * Kafka's client creates one exception for all causes, and only its text distinguishes them.
   */
  private static boolean isMistimed(Throwable error) {
    return error instanceof InvalidTimestampException
        || (error instanceof InvalidRecordException
            && OUT_OF_RANGE.matcher(String.valueOf(error.getMessage())).lookingAt());
  }

  private static boolean isAny(List<Class<? extends KafkaException>> types, Throwable error) {
    return types.stream().anyMatch(type -> type.isInstance(error));
  }
}
