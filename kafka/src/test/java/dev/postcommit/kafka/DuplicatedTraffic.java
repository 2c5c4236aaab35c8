package dev.postcommit.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Messages of events, of which three in ten come twice: a third of those right behind the first, a
 * third much later, and a third later with another key, most often in another partition.
 */
final class DuplicatedTraffic implements Runnable {
  private static final int KEYS = 120;
  private static final int FARTHEST = 3_000;
  private static final int CHUNK = 100;
  private static final int BACKLOG = 3_000;

  private record Sent(String eventId, String key, double position) {}

  private final String bootstrapServers;
  private final String topic;
  private final int events;
  private final List<Sent> messages;
  private final IntSupplier handled;
  private volatile int sent;

  /**
   * Prepares messages.
   *
   * @param handled how many events have been handled; there are never many more that are not
   */
  DuplicatedTraffic(
      String bootstrapServers, String topic, int events, Random random, IntSupplier handled) {
    this.bootstrapServers = bootstrapServers;
    this.topic = topic;
    this.events = events;
    this.messages = messages(events, random);
    this.handled = handled;
  }

  private static List<Sent> messages(int events, Random random) {
    List<Sent> messages = new ArrayList<>();
    for (int i = 0; i < events; i++) {
      messages.add(new Sent(new UUID(random.nextLong(), i).toString(), key(random), i));
    }
    List<Integer> twice = new ArrayList<>(IntStream.range(0, events).boxed().toList());
    Collections.shuffle(twice, random);
    for (int i = 0; i < events * 3 / 10; i++) {
      Sent first = messages.get(twice.get(i));
      double distance = i % 3 == 0 ? 0.5 : 0.5 + random.nextInt(FARTHEST);
      String key = i % 3 == 1 ? key(random) : first.key();
      messages.add(new Sent(first.eventId(), key, first.position() + distance));
    }
    messages.sort(Comparator.comparingDouble(Sent::position));
    return messages;
  }

  private static String key(Random random) {
    return "key-" + random.nextInt(KEYS);
  }

  int events() {
    return events;
  }

  int messages() {
    return messages.size();
  }

  /** How many events Kafka has by now. */
  int sent() {
    return sent;
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
    Set<String> known = new HashSet<>();
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            // With more, a new topic can take the second request and never the first.
            Map.of(
                "bootstrap.servers", bootstrapServers, "max.in.flight.requests.per.connection", 1),
            new StringSerializer(),
            new StringSerializer())) {
      for (int from = 0; from < messages.size(); from += CHUNK) {
        await()
            .atMost(Duration.ofMinutes(5))
            .pollInterval(Duration.ofMillis(20))
            .until(() -> known.size() - handled.getAsInt() < BACKLOG);
        for (Sent message : messages.subList(from, Math.min(from + CHUNK, messages.size()))) {
          var unused =
              producer.send(record(message), (at, error) -> failure.compareAndSet(null, error));
          known.add(message.eventId());
        }
        producer.flush();
        assertThat(failure.get()).as("what was sent to " + topic).isNull();
        sent = known.size();
      }
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
