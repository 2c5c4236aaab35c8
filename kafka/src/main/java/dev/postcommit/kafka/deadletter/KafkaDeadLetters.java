package dev.postcommit.kafka.deadletter;

import dev.postcommit.PostcommitException;
import dev.postcommit.consumer.deadletter.DeadLetter;
import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.kafka.internal.ClientErrors;
import dev.postcommit.store.Decision;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Lists and replays the dead letters of one topic. For use by one thread at a time.
 *
 * <pre>{@code
 * try (KafkaDeadLetters letters = KafkaDeadLetters.open(properties, "orders.dlt")) {
 *   letters.replay(letters.find(KafkaDeadLetterFilter.all(), false), new Decision("ada", null));
 * }
 * }</pre>
 *
 * <p>A topic is a log, so a decision is a record too: after a dead letter is replayed, a record is
 * written to the same partition, with the headers {@code dlt_decision} ({@code replayed}) and
 * {@code dlt_decided_offset}, the key of the dead letter, and the body {@code {eventId, replayedAt,
 * operator, reason?}}. A dead letter is <i>open</i> until there is one. After a crash between the
 * two it is replayed again the next time, and two operators may replay it at the same moment; the
 * consumer's inbox keeps the event from taking effect twice.
 *
 * <p>Every call reads the topic from its beginning to where it ends then, and throws {@link
 * PostcommitException} if the topic does not exist or Kafka does not answer.
 */
public final class KafkaDeadLetters implements AutoCloseable {
  private final String topic;
  private final DeadLetterClients clients;
  private final DeadLetterReader log;

  private KafkaDeadLetters(String topic, DeadLetterClients clients, DeadLetterReader log) {
    this.topic = topic;
    this.clients = clients;
    this.log = log;
  }

  /**
   * Opens a dead-letter topic.
   *
   * @param properties of Kafka's clients, {@code bootstrap.servers} and security; each client takes
   *     those that it knows. What {@link KafkaPublisher} refuses is refused here too
   * @param topic its full name, as {@code orders.dlt}
   * @throws IllegalArgumentException if a property is invalid, with its name and value
   */
  public static KafkaDeadLetters open(Map<String, ?> properties, String topic) {
    DeadLetterClients clients = DeadLetterClients.of(properties);
    try {
      return new KafkaDeadLetters(topic, clients, new DeadLetterReader(clients));
    } catch (KafkaException e) {
      throw new PostcommitException(
          "no Kafka consumer could be made: "
              + ClientErrors.text(Objects.requireNonNullElse(e.getCause(), e)),
          e);
    }
  }

  /** The name of the topic. */
  public String topic() {
    return topic;
  }

  /**
   * The positions of dead letters that match a filter, the oldest first.
   *
   * @param withDecided whether to include those that were replayed
   */
  public List<KafkaDeadLetterRef> find(KafkaDeadLetterFilter filter, boolean withDecided) {
    DeadLetterIndex index = new DeadLetterIndex(filter);
    log.ends(topic)
        .forEach(
            (partition, end) -> log.read(new TopicPartition(topic, partition), 0, end, index::add));
    return index.refs(withDecided);
  }

  /** The dead letters, in the order given; those that are gone from the topic are left out. */
  public List<KafkaDeadLetter> read(Collection<KafkaDeadLetterRef> refs) {
    Map<KafkaDeadLetterRef, KafkaDeadLetter> found = new HashMap<>();
    read(
        refs,
        chosen ->
            chosen.forEach(
                (ref, record) -> found.put(ref, DeadLetterRecords.letter(record, ref.replayed()))));
    return refs.stream().map(found::get).filter(Objects::nonNull).toList();
  }

  /**
   * Sends the original messages to the topics they came from, with the same body, key and headers,
   * to the same partition if it still exists. Each is acknowledged by all replicas in sync before
   * the decision is written. Dead letters of one partition are replayed in order; those that have
   * been decided meanwhile are skipped. A dead letter that names a topic other than the one its
   * dead-letter topic belongs to is not replayed, and stays open.
   *
   * @return which were replayed, and which could not be
   * @throws PostcommitException if Kafka fails; what was replayed until then is decided, and the
   *     rest is open
   */
  public KafkaReplay replay(Collection<KafkaDeadLetterRef> refs, Decision decision) {
    return replay(refs, decision, Set.of());
  }

  /**
   * As {@link #replay(Collection, Decision)}, but allows some more topics.
   *
   * @param alsoTo the topics besides the one that the dead-letter topic belongs to
   */
  public KafkaReplay replay(
      Collection<KafkaDeadLetterRef> refs, Decision decision, Set<String> alsoTo) {
    Set<String> open = new HashSet<>();
    find(KafkaDeadLetterFilter.all(), false).forEach(ref -> open.add(ref.position()));
    List<KafkaDeadLetterRef> chosen =
        refs.stream().filter(ref -> open.contains(ref.position())).toList();
    if (chosen.isEmpty()) {
      return KafkaReplay.NOTHING;
    }
    try (DeadLetterReplay replay =
        new DeadLetterReplay(
            clients.newProducer(),
            new DeadLetterReader(clients),
            decision,
            allowed(alsoTo),
            clients.producer().longestDelivery())) {
      read(chosen, records -> replay.send(records.values()));
      return replay.result();
    }
  }

  private Set<String> allowed(Set<String> alsoTo) {
    Set<String> allowed = new TreeSet<>(alsoTo);
    if (topic.endsWith(DeadLetter.TOPIC_SUFFIX)) {
      allowed.add(topic.substring(0, topic.length() - DeadLetter.TOPIC_SUFFIX.length()));
    }
    return allowed;
  }

  /**
   * Reads each partition from its first to its last chosen record, and passes on the chosen ones.
   */
  private void read(
      Collection<KafkaDeadLetterRef> refs,
      Consumer<Map<KafkaDeadLetterRef, ConsumerRecord<byte[], byte[]>>> reader) {
    Map<Integer, NavigableMap<Long, KafkaDeadLetterRef>> chosen = new TreeMap<>();
    for (KafkaDeadLetterRef ref : refs) {
      chosen.computeIfAbsent(ref.partition(), unused -> new TreeMap<>()).put(ref.offset(), ref);
    }
    chosen.forEach(
        (partition, offsets) ->
            log.read(
                new TopicPartition(topic, partition),
                offsets.firstKey(),
                offsets.lastKey() + 1,
                records -> reader.accept(chosen(records, offsets))));
  }

  private static Map<KafkaDeadLetterRef, ConsumerRecord<byte[], byte[]>> chosen(
      List<ConsumerRecord<byte[], byte[]>> records, Map<Long, KafkaDeadLetterRef> offsets) {
    Map<KafkaDeadLetterRef, ConsumerRecord<byte[], byte[]>> chosen = new LinkedHashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      KafkaDeadLetterRef ref = offsets.get(record.offset());
      if (ref != null) {
        chosen.put(ref, record);
      }
    }
    return chosen;
  }

  @Override
  public void close() {
    log.close();
  }
}
