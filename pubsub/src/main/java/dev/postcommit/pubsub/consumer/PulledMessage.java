package dev.postcommit.pubsub.consumer;

import com.google.cloud.pubsub.v1.AckReplyConsumer;
import com.google.protobuf.Timestamp;
import com.google.pubsub.v1.PubsubMessage;
import dev.postcommit.consumer.message.ReceivedMessage;
import dev.postcommit.consumer.spi.FetchedMessage;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A pulled message. While it waits for a worker or its next attempt, or is being handled, Google's
 * client keeps extending its deadline.
 */
final class PulledMessage extends FetchedMessage {
  private final Source source;
  private final PubsubMessage message;
  private final AckReplyConsumer reply;

  /**
   * The origin of messages.
   *
   * @param topic the short name of the topic
   * @param subscription the short name of the subscription
   * @param outstanding the messages of the subscriber that are not done
   */
  record Source(String topic, String subscription, OutstandingMessages outstanding) {}

  private record KeyOfSource(OutstandingMessages outstanding, String key) {}

  PulledMessage(Source source, PubsubMessage message, AckReplyConsumer reply, boolean ordered) {
    super(ordered ? orderingKey(source, message) : null);
    this.source = source;
    this.message = message;
    this.reply = reply;
  }

  private static @Nullable Object orderingKey(Source source, PubsubMessage message) {
    @Nullable String key = key(message);
    return key == null ? null : new KeyOfSource(source.outstanding(), key);
  }

  private static @Nullable String key(PubsubMessage message) {
    return message.getOrderingKey().isEmpty() ? null : message.getOrderingKey();
  }

  OutstandingMessages outstanding() {
    return source.outstanding();
  }

  /** Its ordering key, if it has one. */
  @Nullable String key() {
    return key(message);
  }

  /** Pub/Sub does not distinguish missing data from empty data; it is read as empty. */
  @Override
  protected ReceivedMessage message() {
    Timestamp time = message.getPublishTime();
    return new ReceivedMessage(
        source.topic(),
        key(),
        message.getAttributesMap(),
        message.getData().toByteArray(),
        Map.of(
            "subscription",
            source.subscription(),
            "message_id",
            message.getMessageId(),
            "publish_time",
            Instant.ofEpochSecond(time.getSeconds(), time.getNanos()).toString()));
  }

  @Override
  protected boolean begin() {
    return !source.outstanding().isEnded();
  }

  @Override
  protected void finish() {
    // Ending a subscriber waits for the workers, not for single messages.
  }

  @Override
  protected boolean isAbandoned() {
    return source.outstanding().isEnded();
  }

  /** Acknowledges even if the subscriber has ended: a handled message need not come again. */
  @Override
  protected void acknowledge() {
    source.outstanding().done(this);
    reply.ack();
  }

  /** Has Pub/Sub deliver the message again, here or elsewhere. */
  void giveBack() {
    reply.nack();
  }

  @Override
  public String toString() {
    return source.subscription() + "#" + message.getMessageId();
  }
}
