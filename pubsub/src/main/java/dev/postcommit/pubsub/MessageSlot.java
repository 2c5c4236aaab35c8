package dev.postcommit.pubsub;

import com.google.cloud.pubsub.v1.AckReplyConsumer;
import com.google.protobuf.Timestamp;
import com.google.pubsub.v1.PubsubMessage;
import dev.postcommit.consumer.ReceivedMessage;
import dev.postcommit.consumer.internal.Slot;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A pulled message on its way through a lane. While it is in the lane, being handled or waiting for
 * its next attempt, Google's client has Pub/Sub wait for it.
 */
final class MessageSlot extends Slot {
  private final Source source;
  private final PubsubMessage message;
  private final AckReplyConsumer reply;

  /**
   * Where messages come from.
   *
   * @param topic the topic, as users know it
   * @param subscription the subscription, likewise
   * @param pulled what the subscriber has pulled
   */
  record Source(String topic, String subscription, PulledMessages pulled) {}

  private record KeyOfSource(PulledMessages pulled, String key) {}

  MessageSlot(Source source, PubsubMessage message, AckReplyConsumer reply, boolean ordered) {
    super(ordered ? order(source, message) : null);
    this.source = source;
    this.message = message;
    this.reply = reply;
  }

  private static @Nullable Object order(Source source, PubsubMessage message) {
    @Nullable String key = key(message);
    return key == null ? null : new KeyOfSource(source.pulled(), key);
  }

  private static @Nullable String key(PubsubMessage message) {
    return message.getOrderingKey().isEmpty() ? null : message.getOrderingKey();
  }

  PulledMessages pulled() {
    return source.pulled();
  }

  /** Its ordering key, if it has one. */
  @Nullable String key() {
    return key(message);
  }

  /** Pub/Sub does not tell no data from empty data; it is taken for empty. */
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
    return !source.pulled().isEnded();
  }

  @Override
  protected void finish() {
    // Who ends a subscriber waits for the lanes, not for single messages.
  }

  @Override
  protected boolean isAbandoned() {
    return source.pulled().isEnded();
  }

  /** Late is not wrong: what has had its effect need not come again. */
  @Override
  protected void acknowledge() {
    source.pulled().done(this);
    reply.ack();
  }

  /** Has Pub/Sub give it to another, or to us again. */
  void giveBack() {
    reply.nack();
  }

  @Override
  public String toString() {
    return source.subscription() + "#" + message.getMessageId();
  }
}
