package dev.postcommit.kafka.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Messages of events, of which three in ten come twice: a third of those right behind the first, a
 * third much later, and a third later with another key, most often in another partition.
 *
 * <p>It does not run dry. How many events are handled while a test arranges an accident depends on
 * the load of the machine, so no fixed number is enough for the next one to meet instances at work.
 * New events are sent until {@link #end}.
 */
final class DuplicatedTraffic implements Runnable {
  private static final int KEYS = 120;
  private static final int FARTHEST = 3_000;
  private static final int CHUNK = 100;

  /** How many events are sent and not handled, if the traffic can keep up. */
  static final int BACKLOG = 3_000;

  private record Sent(String eventId, String key, double position) {}

  private final String bootstrapServers;
  private final String topic;
  private final int fewest;
  private final Random random;
  private final IntSupplier handled;
  private final List<Sent> messages = new CopyOnWriteArrayList<>();
  private final Queue<Sent> again = new PriorityQueue<>(Comparator.comparingDouble(Sent::position));
  private int begun;
  private volatile int lastHandled;
  private volatile int sent;
  private volatile boolean ending;

  /**
   * Prepares messages.
   *
   * @param fewest how many events there are at least, however early it is to end
   * @param handled how many events have been handled; there are never many more that are not
   */
  DuplicatedTraffic(
      String bootstrapServers, String topic, int fewest, Random random, IntSupplier handled) {
    this.bootstrapServers = bootstrapServers;
    this.topic = topic;
    this.fewest = fewest;
    this.random = random;
    this.handled = handled;
  }

  /** Sends no more new events than it has to. */
  void end() {
    ending = true;
  }

  private boolean isOver() {
    return ending && begun >= fewest;
  }

  /** The next messages; none if it is over and every event that was to come twice has. */
  private List<Sent> next() {
    List<Sent> chunk = new ArrayList<>();
    boolean over = isOver();
    while (chunk.size() < CHUNK) {
      Sent second = again.peek();
      if (second != null && (over || second.position() < begun)) {
        chunk.add(again.remove());
      } else if (over) {
        break;
      } else {
        chunk.add(event());
      }
    }
    return chunk;
  }

  private Sent event() {
    Sent first = new Sent(new UUID(random.nextLong(), begun).toString(), key(), begun);
    begun++;
    int kind = random.nextInt(10);
    if (kind < 3) {
      double distance = kind == 0 ? 0.5 : 0.5 + random.nextInt(FARTHEST);
      String key = kind == 1 ? key() : first.key();
      again.add(new Sent(first.eventId(), key, first.position() + distance));
    }
    return first;
  }

  private String key() {
    return "key-" + random.nextInt(KEYS);
  }

  /** How many events Kafka has by now. */
  int sent() {
    return sent;
  }

  /** How many messages were sent. */
  int messages() {
    return messages.size();
  }

  Set<String> eventIds() {
    Set<String> ids = new HashSet<>();
    messages.forEach(message -> ids.add(message.eventId()));
    return ids;
  }

  /** The messages of all events that came with a key, in the order they were sent. */
  String messagesOf(String key) {
    Set<String> events = new HashSet<>();
    messages.stream().filter(m -> m.key().equals(key)).forEach(m -> events.add(m.eventId()));
    return messages.stream()
        .filter(m -> events.contains(m.eventId()))
        .map(Sent::toString)
        .collect(Collectors.joining("\n"));
  }

  /** For each key the places of its events in the order in which they first came with that key. */
  Map<String, Map<String, Integer>> firstPlaces() {
    Map<String, Map<String, Integer>> places = new HashMap<>();
    for (Sent message : messages) {
      Map<String, Integer> ofKey = places.computeIfAbsent(message.key(), unused -> new HashMap<>());
      ofKey.putIfAbsent(message.eventId(), ofKey.size());
    }
    return places;
  }

  @Override
  public void run() {
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            // With more, a new topic can take the second request and never the first.
            Map.of(
                "bootstrap.servers", bootstrapServers, "max.in.flight.requests.per.connection", 1),
            new StringSerializer(),
            new StringSerializer())) {
      for (List<Sent> chunk = next(); !chunk.isEmpty(); chunk = next()) {
        for (Sent message : chunk) {
          var unused =
              producer.send(record(message), (at, error) -> failure.compareAndSet(null, error));
        }
        producer.flush();
        assertThat(failure.get()).as("what was sent to " + topic).isNull();
        messages.addAll(chunk);
        sent = begun;
        awaitRoom();
      }
    }
  }

  /** Asks only when it has to: the answer takes longer than it takes to send a chunk. */
  private void awaitRoom() {
    if (sent - lastHandled >= BACKLOG) {
      await()
          .atMost(Duration.ofMinutes(5))
          .pollInterval(Duration.ofMillis(20))
          .until(
              () -> {
                lastHandled = handled.getAsInt();
                return sent - lastHandled < BACKLOG;
              });
    }
  }

  private ProducerRecord<String, String> record(Sent message) {
    ProducerRecord<String, String> record =
        new ProducerRecord<>(topic, message.key(), "{\"number\": 1}");
    record.headers().add("event_id", message.eventId().getBytes(UTF_8));
    record.headers().add("event_type", ConsumerProcess.TYPE.getBytes(UTF_8));
    return record;
  }
}
