package dev.postcommit.testkit.pubsub;

import com.google.pubsub.v1.PubsubMessage;
import dev.postcommit.relay.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads the messages of a Pub/Sub subscription, which has them no longer then. */
public final class PubSubReader {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private PubSubReader() {}

  /**
   * All messages of a subscription, of which there are at least {@code count} or soon will be. They
   * are acknowledged. Those of one ordering key are in order if the subscription keeps order. The
   * topic of each is named as {@code server} takes it: short if it is one of its project.
   *
   * @throws AssertionError if there are fewer after a minute
   */
  public static List<Message> read(PubSubServer server, String subscription, int count) {
    List<Message> messages = new ArrayList<>();
    try (PubSubPoller poller = new PubSubPoller(server, subscription)) {
      String topic = shortName(server, poller.topic());
      long begin = System.nanoTime();
      boolean atEnd = false;
      while (messages.size() < count || !atEnd) {
        List<PubsubMessage> batch = poller.poll();
        batch.forEach(message -> messages.add(message(topic, message)));
        atEnd = batch.isEmpty();
        if (System.nanoTime() - begin > PATIENCE.toNanos()) {
          throw new AssertionError(
              "%d of %d messages arrived at %s".formatted(messages.size(), count, subscription));
        }
      }
    }
    return messages;
  }

  private static String shortName(PubSubServer server, String topic) {
    String prefix = server.topicName("");
    return topic.startsWith(prefix) ? topic.substring(prefix.length()) : topic;
  }

  private static Message message(String topic, PubsubMessage message) {
    String key = message.getOrderingKey();
    return new Message(
        topic,
        key.isEmpty() ? null : key,
        message.getAttributesMap(),
        message.getData().toByteArray());
  }
}
