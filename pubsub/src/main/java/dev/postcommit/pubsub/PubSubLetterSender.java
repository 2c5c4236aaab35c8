package dev.postcommit.pubsub;

import com.google.api.gax.rpc.DeadlineExceededException;
import com.google.api.gax.rpc.UnavailableException;
import com.google.pubsub.v1.PublishRequest;
import dev.postcommit.consumer.DeadLetter;
import dev.postcommit.consumer.internal.Letters;
import dev.postcommit.consumer.internal.Trouble;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Sends dead letters to Pub/Sub, one after the other. Nothing connects before the first. Safe for
 * use by many threads.
 *
 * <p>A letter whose answer was lost is sent again, and may be there twice.
 */
final class PubSubLetterSender implements Letters<MessageSlot>, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PubSubLetterSender.class);

  /** What Pub/Sub takes in one request. */
  private static final int LARGEST_REQUEST = 10_000_000;

  private final PubSubConnection connection;
  private final Reconnects reconnects;
  private final Trouble trouble = new Trouble(log, "sending dead letters");
  private volatile String advice = "";
  private @Nullable Desk desk;
  private boolean closed;

  private record Desk(PubSubLetterClients clients, PubSubLetterTopics topics) {}

  PubSubLetterSender(PubSubConnection connection, Reconnects reconnects) {
    this.connection = connection;
    this.reconnects = reconnects;
  }

  /** Why letters cannot be sent, if so. */
  Optional<String> problem() {
    return trouble.reason().map(reason -> reason + "; " + advice);
  }

  @Override
  public void send(List<MessageSlot> slots) {
    Set<Object> failed = new HashSet<>();
    for (MessageSlot slot : slots) {
      if (failed.contains(slot.strand())) {
        continue; // letters of a key stay in order
      }
      try {
        @Nullable Desk current = desk();
        if (current == null) {
          return;
        }
        send(current, slot);
        trouble.over();
      } catch (IOException | RuntimeException e) {
        report(slot, e);
        failed.add(slot.strand());
        if (e instanceof UnavailableException || e instanceof DeadlineExceededException) {
          return; // so would the others
        }
      }
    }
  }

  private void send(Desk current, MessageSlot slot) {
    String topic = topic(slot);
    current.topics().require(topic);
    PublishRequest request = request(topic, letter(slot));
    if (request.getSerializedSize() > LARGEST_REQUEST) {
      log.warn("{}: its dead letter is too large, and is sent without the event's content", slot);
      slot.giveUp(letter(slot).withoutBody());
      request = request(topic, letter(slot));
    }
    try {
      String id = current.clients().publisher().publishCallable().call(request).getMessageIds(0);
      log.debug("{}: its dead letter is {} in {}", slot, id, topic);
    } catch (RuntimeException e) {
      current.topics().forget(topic);
      throw e;
    }
    slot.done();
  }

  private static PublishRequest request(String topic, DeadLetter letter) {
    return PublishRequest.newBuilder()
        .setTopic(topic)
        .addMessages(PubSubLetterMessages.of(letter))
        .build();
  }

  private String topic(MessageSlot slot) {
    return connection.topic(letter(slot).topic());
  }

  private static DeadLetter letter(MessageSlot slot) {
    return Objects.requireNonNull(slot.letter(), "the letter of a slot that was given up");
  }

  private void report(MessageSlot slot, Exception error) {
    String remedy =
        ("the letter of %s is kept and sent again; if need be create topic %s and a subscription"
                + " of it, and grant roles/pubsub.publisher on it")
            .formatted(slot, topic(slot));
    advice = remedy;
    trouble.failed(error, Level.ERROR, remedy);
  }

  private synchronized @Nullable Desk desk() throws IOException {
    if (desk == null && !closed) {
      PubSubLetterClients clients = PubSubLetterClients.connect(connection, reconnects);
      desk = new Desk(clients, new PubSubLetterTopics(clients.publisher(), clients.subscriber()));
    }
    return desk;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (desk != null) {
      desk.clients().close();
      desk = null;
    }
  }
}
