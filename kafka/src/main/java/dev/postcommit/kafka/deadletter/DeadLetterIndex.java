package dev.postcommit.kafka.deadletter;

import dev.postcommit.consumer.deadletter.DeadLetterContent;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterRef.Replayed;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters and decisions of a dead-letter topic, without their content. Each dead letter is
 * listed once, however often it was written.
 *
 * <p>A consumer that crashes after sending a dead letter, and before committing the offset, sends
 * it again. So the dead letters of one consumer for one original record count as one: the earliest
 * is shown, and a decision on any is a decision on all.
 */
final class DeadLetterIndex {
  private static final Comparator<Entry> EARLIEST =
      Comparator.comparingLong(Entry::timestamp)
          .thenComparingInt(entry -> entry.ref.partition())
          .thenComparingLong(entry -> entry.ref.offset());

  private record Entry(KafkaDeadLetterRef ref, long timestamp, boolean matches) {}

  private final KafkaDeadLetterFilter filter;
  private final Map<String, Entry> letters = new LinkedHashMap<>();
  private final Map<String, String> identities = new HashMap<>();
  private final Map<String, Replayed> decisions = new HashMap<>();

  DeadLetterIndex(KafkaDeadLetterFilter filter) {
    this.filter = filter;
  }

  void add(List<ConsumerRecord<byte[], byte[]>> records) {
    records.forEach(this::add);
  }

  private void add(ConsumerRecord<byte[], byte[]> record) {
    if (DeadLetterRecords.isDecision(record)) {
      @Nullable Long offset = DeadLetterRecords.decidedOffset(record);
      if (offset != null) {
        String position = KafkaDeadLetterRef.position(record.partition(), offset);
        decisions.putIfAbsent(
            identities.getOrDefault(position, position), DeadLetterRecords.replayed(record));
      }
      return;
    }
    KafkaDeadLetter letter = DeadLetterRecords.letter(record, null);
    Entry entry = new Entry(letter.ref(), record.timestamp(), filter.matches(letter));
    String identity = identity(letter);
    if (!identity.equals(letter.ref().position())) {
      identities.put(letter.ref().position(), identity);
    }
    letters.merge(identity, entry, (one, other) -> EARLIEST.compare(one, other) <= 0 ? one : other);
  }

  /** The identity of a dead letter: which consumer gave up on which record. */
  private static String identity(KafkaDeadLetter letter) {
    DeadLetterContent content = letter.content();
    String partition = content.origin().get("partition");
    String offset = content.origin().get("offset");
    return partition == null || offset == null
        ? letter.ref().position()
        : String.join(
            "\n",
            content.originalTopic(),
            partition,
            offset,
            String.valueOf(content.consumerService()));
  }

  /** The dead letters that match the filter, the oldest first. */
  List<KafkaDeadLetterRef> refs(boolean withDecided) {
    return letters.entrySet().stream()
        .filter(letter -> letter.getValue().matches)
        .filter(letter -> withDecided || !decisions.containsKey(letter.getKey()))
        .sorted(Map.Entry.comparingByValue(EARLIEST))
        .map(letter -> ref(letter.getValue().ref, decisions.get(letter.getKey())))
        .toList();
  }

  private static KafkaDeadLetterRef ref(KafkaDeadLetterRef ref, @Nullable Replayed replayed) {
    return new KafkaDeadLetterRef(ref.partition(), ref.offset(), ref.eventId(), replayed);
  }
}
