package dev.postcommit.pubsub.consumer;

import com.google.api.gax.rpc.DeadlineExceededException;
import com.google.api.gax.rpc.UnavailableException;
import com.google.pubsub.v1.PublishRequest;
import dev.postcommit.consumer.deadletter.DeadLetter;
import dev.postcommit.consumer.spi.DeadLetterSink;
import dev.postcommit.consumer.spi.RecurringFailure;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.pubsub.internal.ChannelReconnects;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Sends dead letters to Pub/Sub, one after the other. Nothing connects before the first.
 *
 * <p>A dead letter whose answer was lost is sent again, and may be there twice.
 */
final class PubSubDeadLetterSender implements DeadLetterSink<PulledMessage> {
  private static final Logger log = LoggerFactory.getLogger(PubSubDeadLetterSender.class);

  /** The largest request that Pub/Sub accepts. */
  private static final int LARGEST_REQUEST = 10_000_000;

  private final PubSubConnection connection;
  private final ChannelReconnects reconnects;
  private final RecurringFailure failure = new RecurringFailure(log, "sending dead letters");
  private volatile String advice = "";
  private @Nullable PubSubDeadLetterTopics topics;
  private boolean closed;

  PubSubDeadLetterSender(PubSubConnection connection, ChannelReconnects reconnects) {
    this.connection = connection;
    this.reconnects = reconnects;
  }

  @Override
  public Optional<String> problem() {
    return failure.reason().map(reason -> reason + "; " + advice);
  }

  @Override
  public void send(List<PulledMessage> messages) {
    Set<Object> failedKeys = new HashSet<>();
    for (PulledMessage message : messages) {
      if (failedKeys.contains(message.orderingKey())) {
        continue; // dead letters of a key stay in order
      }
      try {
        @Nullable PubSubDeadLetterTopics current = topics();
        if (current == null) {
          return;
        }
        send(current, message);
        failure.over();
      } catch (IOException | RuntimeException e) {
        report(message, e);
        failedKeys.add(message.orderingKey());
        if (e instanceof UnavailableException || e instanceof DeadlineExceededException) {
          return; // so would the others
        }
      }
    }
  }

  private void send(PubSubDeadLetterTopics current, PulledMessage message) {
    String topic = topic(message);
    current.require(topic);
    PublishRequest request = request(topic, message.deadLetter());
    if (request.getSerializedSize() > LARGEST_REQUEST) {
      log.warn(
          "{}: its dead letter is too large, and is sent without the event's content", message);
      message.giveUp(message.deadLetter().withoutBody());
      request = request(topic, message.deadLetter());
    }
    try {
      String id = current.clients().publisher().publishCallable().call(request).getMessageIds(0);
      log.debug("{}: its dead letter is {} in {}", message, id, topic);
    } catch (RuntimeException e) {
      current.forget(topic);
      throw e;
    }
    message.done();
  }

  private static PublishRequest request(String topic, DeadLetter letter) {
    return PublishRequest.newBuilder()
        .setTopic(topic)
        .addMessages(PubSubDeadLetterMessages.of(letter))
        .build();
  }

  private String topic(PulledMessage message) {
    return connection.topic(message.deadLetter().topic());
  }

  private void report(PulledMessage message, Exception error) {
    String remedy =
        ("the dead letter of %s is kept and sent again; if necessary create topic %s and a subscription"
                + " of it, and grant roles/pubsub.publisher on it")
            .formatted(message, topic(message));
    advice = remedy;
    failure.failed(error, Level.ERROR, remedy);
  }

  private synchronized @Nullable PubSubDeadLetterTopics topics() throws IOException {
    if (topics == null && !closed) {
      topics = new PubSubDeadLetterTopics(PubSubDeadLetterClients.connect(connection, reconnects));
    }
    return topics;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (topics != null) {
      topics.clients().close();
      topics = null;
    }
  }
}
