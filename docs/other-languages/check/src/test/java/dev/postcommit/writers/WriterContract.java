package dev.postcommit.writers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postcommit.Enqueued;
import dev.postcommit.Enqueued.AlreadyEnqueued;
import dev.postcommit.Event;
import dev.postcommit.InvalidEventException;
import dev.postcommit.Outbox;
import dev.postcommit.relay.Message;
import dev.postcommit.testkit.kafka.KafkaReader;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.writers.ForeignWriter.Answer;
import dev.postcommit.writers.ForeignWriter.RefusedException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What every writer promises: its rows cannot be told from those that Java writes. */
abstract class WriterContract {
  private final Outbox outbox = Outbox.create();
  private Table table;
  private ForeignWriter writer;

  /** The command that starts the writer's driver; the address of the database is added to it. */
  abstract List<String> command();

  @BeforeEach
  void open() throws SQLException, IOException {
    table = new Table();
    writer = new ForeignWriter(command(), table.database());
  }

  @AfterEach
  void close() {
    writer.close();
    table.close();
  }

  @Test
  @DisplayName("R1, R4, R7: rows and records on Kafka are those that Java writes, field by field")
  void rowsAndRecordsAreThoseThatJavaWrites() throws SQLException {
    String topic = "writers-" + UUID.randomUUID();
    KafkaServer.shared().createTopic(topic, 1, Map.of("max.message.bytes", "2000000"));
    List<Sample> samples = Samples.good(topic);
    int delivered = samples.size() - 1;
    try (Table javas = new Table()) {
      inJava(javas, samples);
      javas.relay(1);
      writer.begin();
      List<Answer> answers = writer.enqueueAll(samples.subList(0, 9));
      samples.subList(9, samples.size()).forEach(sample -> writer.enqueue(sample));
      writer.commit();

      assertThat(answers).allMatch(answer -> answer.status().equals("written"));
      assertThat(table.ids()).isEqualTo(javas.ids());
      table.relay(1);
      assertThat(withoutDelivery(table)).isEqualTo(withoutDelivery(javas));
    }
    List<Message> messages =
        KafkaReader.read(KafkaServer.shared().bootstrapServers(), topic, 2 * delivered);
    assertThat(messages).hasSize(2 * delivered);
    for (int i = 0; i < delivered; i++) {
      Message java = messages.get(i);
      Message foreign = messages.get(delivered + i);
      String type = java.headers().get("event_type");
      assertThat(foreign.key()).as(type).isEqualTo(java.key());
      assertThat(foreign.body()).as(type).isEqualTo(java.body());
      assertThat(withoutTime(foreign)).as(type).isEqualTo(withoutTime(java));
    }
  }

  /** The rows, but for what depends on when they were written and delivered. */
  private static List<String> withoutDelivery(Table table) throws SQLException {
    return table.rows().stream()
        .map(row -> row.replaceFirst("\"delivered_at\": \"[^\"]*\"", "\"delivered_at\": set"))
        .map(row -> row.replaceFirst("\"xid\": \"[0-9]+\"", "\"xid\": set"))
        .toList();
  }

  /** The headers; the time of writing, which differs, has to be one. */
  private static Map<String, String> withoutTime(Message message) {
    Map<String, String> headers = new HashMap<>(message.headers());
    assertThat(Instant.parse(headers.remove("created_at"))).isBefore(Instant.now());
    return headers;
  }

  @Test
  @DisplayName("R1: a rollback removes the event with the domain rows")
  void aRollbackLeavesNothing() throws SQLException {
    writer.begin();
    writer.sql("INSERT INTO orders VALUES (1)");
    writer.enqueue(Sample.of("order.placed"));
    writer.rollback();
    writer.begin();
    writer.sql("INSERT INTO orders VALUES (2)");
    Answer second = writer.enqueue(Sample.of("order.placed"));
    writer.commit();

    assertThat(table.orders()).containsExactly("2");
    assertThat(table.ids()).containsExactly(second.id().toString());
  }

  @Test
  @DisplayName("R2: without a transaction nothing is written")
  void withoutATransactionNothingIsWritten() throws SQLException {
    assertThatThrownBy(() -> writer.enqueue(Sample.of("order.placed")))
        .isInstanceOf(RefusedException.class)
        .hasMessageMatching("(?i).*(transaction|autocommit).*");
    assertThat(table.ids()).isEmpty();
  }

  @Test
  @DisplayName("R4: an id that is not given is a UUIDv7, and rows are in the order of the calls")
  void idsAreMadeInOrder() throws SQLException {
    Sample sample = Sample.of("order.placed");
    Instant before = Instant.now();
    writer.begin();
    List<Answer> answers = writer.enqueueAll(List.of(sample, sample, sample));
    Answer last = writer.enqueue(sample);
    writer.commit();

    assertThat(table.ids())
        .startsWith(answers.stream().map(answer -> answer.id().toString()).toArray(String[]::new))
        .endsWith(last.id().toString())
        .doesNotHaveDuplicates()
        .hasSize(4);
    assertThat(last.id().version()).isEqualTo(7);
    assertThat(last.id().variant()).isEqualTo(2);
    assertThat(last.id().getMostSignificantBits() >>> 16)
        .isBetween(before.toEpochMilli() - 1, Instant.now().toEpochMilli() + 1);
  }

  @Test
  @DisplayName(
      "R5: the second event of a dedupe key is already enqueued, under the id of the first")
  void theSecondEventOfADedupeKeyIsAlreadyEnqueued() throws SQLException {
    Sample sample = Sample.of("order.placed").with("dedupeKey", "d-1");
    writer.begin();
    List<Answer> batch =
        writer.enqueueAll(List.of(sample, sample, sample.with("topic", "elsewhere")));
    Answer again = writer.enqueue(sample);
    writer.commit();
    writer.begin();
    Answer later = writer.enqueue(sample);
    writer.commit();

    UUID first = batch.get(0).id();
    assertThat(batch)
        .extracting(Answer::status)
        .containsExactly("written", "already-enqueued", "written");
    assertThat(List.of(batch.get(1), again, later))
        .containsOnly(new Answer("already-enqueued", first));
    assertThat(inJava(table, List.of(sample))).containsExactly(new AlreadyEnqueued(first));
    assertThat(table.ids()).containsExactly(first.toString(), batch.get(2).id().toString());
  }

  @Test
  @DisplayName("R5: of two writers that race, the one that waited finds the other's event")
  void theWriterThatWaitedFindsTheOthersEvent() throws Exception {
    Sample sample = Sample.of("order.placed").with("dedupeKey", "d-1");
    writer.begin();
    try (Connection tx = table.connection()) {
      tx.setAutoCommit(false);
      Enqueued first = outbox.enqueue(tx, sample.event());
      CompletableFuture<Answer> waiting =
          CompletableFuture.supplyAsync(() -> writer.enqueue(sample));
      table.awaitBlocked();
      tx.commit();

      assertThat(waiting.get(30, TimeUnit.SECONDS))
          .isEqualTo(new Answer("already-enqueued", first.id()));
      tx.setAutoCommit(true);
    }
    writer.commit();
    assertThat(table.ids()).hasSize(1);
  }

  @Test
  @DisplayName("R5: a writer that waited for one that rolled back writes its own event")
  void theWriterThatWaitedInVainWritesItsOwn() throws Exception {
    Sample sample = Sample.of("order.placed").with("dedupeKey", "d-1");
    writer.begin();
    try (Connection tx = table.connection()) {
      tx.setAutoCommit(false);
      outbox.enqueue(tx, sample.event());
      CompletableFuture<Answer> waiting =
          CompletableFuture.supplyAsync(() -> writer.enqueue(sample));
      table.awaitBlocked();
      tx.rollback();

      assertThat(waiting.get(30, TimeUnit.SECONDS).status()).isEqualTo("written");
      tx.setAutoCommit(true);
    }
    writer.commit();
    assertThat(table.ids()).hasSize(1);
  }

  @Test
  @DisplayName("R5: Java's writer that waited for a foreign one finds its event")
  void javasWriterThatWaitedFindsTheForeignEvent() throws Exception {
    Sample sample = Sample.of("order.placed").with("dedupeKey", "d-1");
    writer.begin();
    Answer first = writer.enqueue(sample);
    CompletableFuture<List<Enqueued>> waiting =
        CompletableFuture.supplyAsync(() -> inJava(table, List.of(sample)));
    table.awaitBlocked();
    writer.commit();

    assertThat(waiting.get(30, TimeUnit.SECONDS)).containsExactly(new AlreadyEnqueued(first.id()));
  }

  @Test
  @DisplayName("R6: what Java refuses is refused with the same field, and nothing is written")
  void whatJavaRefusesIsRefused() throws SQLException {
    writer.begin();
    Samples.bad()
        .forEach(
            (what, sample) -> {
              InvalidEventException java =
                  catchThrowableOfType(
                      InvalidEventException.class, () -> inJava(table, List.of(sample)));
              RefusedException foreign =
                  catchThrowableOfType(RefusedException.class, () -> writer.enqueue(sample));
              assertThat(java).as(what).isNotNull();
              assertThat(foreign).as(what).isNotNull();
              assertThat(foreign.field()).as(what).isEqualTo(java.field());
            });
    writer.commit();
    assertThat(table.ids()).isEmpty();
  }

  private List<Enqueued> inJava(Table target, List<Sample> samples) {
    List<Event> events = samples.stream().map(Sample::event).toList();
    try (Connection tx = target.connection()) {
      tx.setAutoCommit(false);
      try {
        List<Enqueued> results = outbox.enqueueAll(tx, events);
        tx.commit();
        return results;
      } finally {
        tx.rollback();
        tx.setAutoCommit(true);
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
