package dev.postcommit.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.message.ReceivedMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Messages as a relay sends them. */
public final class Messages {
  public static final String TYPE = "order.placed";
  static final String TOPIC = "orders";

  private Messages() {}

  public static String id() {
    return UUID.randomUUID().toString();
  }

  public static ReceivedMessage message(String id) {
    return message(id, TYPE, "{\"number\": 1}");
  }

  public static ReceivedMessage message(String id, String type, String payload) {
    return new ReceivedMessage(
        TOPIC, "key", Map.of("event_id", id, "event_type", type), payload.getBytes(UTF_8));
  }

  public static WorkItem attempt(String id) {
    return new WorkItem(message(id));
  }

  public static WorkItem attempt(String id, @Nullable Object order) {
    return new WorkItem(message(id), order, 1);
  }

  public static WorkItem attempt(String id, int number) {
    return new WorkItem(message(id), null, number);
  }

  /** Gives messages to a consumer, those that are not done again and again, until all are. */
  public static void awaitDone(EventConsumer consumer, List<WorkItem> items) {
    AtomicReference<List<WorkItem>> open = new AtomicReference<>(items);
    await()
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> {
              List<WorkItem> given = open.get();
              List<Outcome> outcomes = consumer.handle(given);
              open.set(
                  IntStream.range(0, given.size())
                      .filter(i -> !(outcomes.get(i) instanceof Outcome.Done))
                      .mapToObj(given::get)
                      .toList());
              return open.get().isEmpty();
            });
  }
}
