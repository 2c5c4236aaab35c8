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
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * The letters of one dead-letter topic, for an operator to look at and to replay. For use by one
 * thread at a time.
 *
 * <pre>{@code
 * try (KafkaDeadLetters letters = KafkaDeadLetters.open(properties, "orders.dlt")) {
 *   letters.replay(letters.find(KafkaDeadLetterFilter.all(), false), new Decision("ada", null));
 * }
 * }</pre>
 *
 * <p>A topic is a log, so a decision is a record too: after a letter is replayed, a record is
 * written beside it, to the same partition, with the headers {@code dlt_decision} ({@code
 * replayed}) and {@code dlt_decided_offset}, the key of the letter, and the body {@code {eventId,
 * replayedAt, operator, reason?}}. A letter is <i>open</i> until there is one. Who crashes between
 * the two replays the letter again the next time, and so do two operators who replay it at the same
 * moment; the consumer's inbox keeps the event from having its effect twice.
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
   * @param topic its whole name, as {@code orders.dlt}
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
   * Where the letters are that a filter means, the oldest first.
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

  /** The letters themselves, in the order given; what is gone from the topic is left out. */
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
   * Sends the original messages of letters to the topics they came from: the same bytes, the same
   * key, and the same headers, to the same partition if there still is one of that number. Each is
   * acknowledged by all replicas in sync before the decision is written. Letters of one partition
   * are replayed in their order; those that are decided by now are passed over. A letter that names
   * another topic than the one its dead-letter topic belongs to is not replayed, and stays open.
   *
   * @return which were replayed, and which could not be
   * @throws PostcommitException if Kafka fails; what was replayed until then is decided, and the
   *     rest is open
   */
  public KafkaReplay replay(Collection<KafkaDeadLetterRef> refs, Decision decision) {
    return replay(refs, decision, Set.of());
  }

  /**
   * As {@link #replay(Collection, Decision)}, but lets letters go to some more topics.
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

  private interface ChosenReader {
    void read(Map<KafkaDeadLetterRef, ConsumerRecord<byte[], byte[]>> chosen);
  }

  /** Reads what lies between the chosen records of each partition, and gives out those. */
  private void read(Collection<KafkaDeadLetterRef> refs, ChosenReader reader) {
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
                records -> reader.read(chosen(records, offsets))));
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
