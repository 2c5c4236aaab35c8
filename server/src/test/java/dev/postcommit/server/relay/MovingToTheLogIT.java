package dev.postcommit.server.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Outbox;
import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Relay;
import dev.postcommit.server.CapturedTerminal;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.testkit.kafka.KafkaDeliveries;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.ledger.Deliveries;
import dev.postcommit.testkit.ledger.Ledger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What docs/moving-to-the-log.md says, step by step with its own statements, while four writers
 * share their keys and are changed one after the other.
 */
class MovingToTheLogIT {
  private static final Path PAGE = Path.of("../docs/moving-to-the-log.md");
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int WRITERS = 4;
  private static final int SOME = 150;

  private final OutboxFixture fixture = new OutboxFixture();
  private final CapturedTerminal terminal = fixture.terminal();
  private final KafkaServer kafka = KafkaServer.shared();
  private final Ledger ledger = Ledger.create();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<MovingWriter> writers = new ArrayList<>();
  private final List<Future<?>> writing = new ArrayList<>();
  private Deliveries deliveries;
  private Future<Void> reading;

  @BeforeEach
  void begin() throws SQLException {
    String topic = "moving-" + fixture.database().name();
    kafka.createTopic(topic, 4);
    run("migrate");
    run("migrate", "--layout", "log");
    MovingWriter.prepare(fixture.database().dataSource());
    for (int i = 0; i < WRITERS; i++) {
      writers.add(new MovingWriter(i, topic, fixture.database().dataSource(), ledger));
    }
    deliveries = new KafkaDeliveries(kafka.bootstrapServers(), topic, ledger);
    reading = threads.submit(deliveries);
  }

  @AfterEach
  void end() {
    writers.forEach(MovingWriter::stop);
    threads.shutdownNow();
    fixture.close();
  }

  private String run(String... args) {
    assertThat(terminal.run(args)).as(terminal.err()).isZero();
    return terminal.out();
  }

  /** Runs what the page has under a name; the last column of the last row, or 0. */
  private long statement(String name) throws SQLException, IOException {
    Matcher block =
        Pattern.compile("(?s)<!-- statement: " + name + " -->\n```sql\n(.*?)```")
            .matcher(Files.readString(PAGE));
    assertThat(block.find()).as(name).isTrue();
    try (Connection connection = fixture.database().dataSource().getConnection();
        var statement = connection.createStatement()) {
      boolean hasRow = statement.execute(block.group(1));
      if (!hasRow) {
        return 0;
      }
      try (ResultSet row = statement.getResultSet()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private Relay started(KafkaPublisher publisher, Layout layout) {
    Relay relay =
        Relay.builder(fixture.database().dataSource(), publisher)
            .layout(layout)
            .batchSize(50)
            .build();
    relay.start();
    return relay;
  }

  private KafkaPublisher publisher() {
    return KafkaPublisher.builder().bootstrapServers(kafka.bootstrapServers()).build();
  }

  private void write(Layout layout) {
    for (MovingWriter writer : writers) {
      writer.change(Outbox.builder(layout).build());
      writing.add(threads.submit(writer));
    }
  }

  private void awaitMore() {
    int before = deliveries.messages();
    await().atMost(PATIENCE).until(() -> deliveries.messages() > before + SOME);
  }

  private void changeOneAfterTheOther(Layout layout) {
    for (MovingWriter writer : writers) {
      writer.change(Outbox.builder(layout).build());
      awaitMore();
    }
  }

  private void stopWriting() throws Exception {
    writers.forEach(MovingWriter::stop);
    for (Future<?> writer : writing) {
      writer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    await().atMost(PATIENCE).until(() -> ledger.outstanding() == 0);
  }

  private void check() throws Exception {
    deliveries.finish();
    reading.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    System.out.println(ledger.report());
    assertThat(ledger.report().clean()).as(ledger.report().toString()).isTrue();
    assertThat(ledger.report().duplicates()).isZero();
  }

  @Test
  @DisplayName("a service moves to the log while it writes: nothing lost, twice or out of order")
  void toTheLog() throws Exception {
    try (KafkaPublisher publisher = publisher();
        Relay before = started(publisher, Layout.nativeTable())) {
      write(Layout.nativeTable());
      awaitMore();

      run("pause", "--layout", "log", "--reason", "moving to the log");
      try (Relay after = started(publisher, Layout.log())) {
        await().atMost(PATIENCE).until(() -> after.state() == Relay.State.PAUSED);
        statement("switch");
        statement("keys");
        await().atMost(PATIENCE).until(() -> statement("rest") == 0);
        assertThat(before.state()).isEqualTo(Relay.State.RUNNING);
        run("resume", "--layout", "log");
        awaitMore();
        changeOneAfterTheOther(Layout.log());
        statement("end");
        awaitMore();
        stopWriting();
      }
    }
    check();
    assertThat(run("status", "--json")).contains("\"pending\":0,");
    assertThat(run("status", "--layout", "log", "--json")).contains("\"pending\":0,");
  }

  @Test
  @DisplayName("a service moves back to the native table in the same way")
  void back() throws Exception {
    writers.forEach(MovingWriter::withoutDedupeKeys);
    try (KafkaPublisher publisher = publisher();
        Relay before = started(publisher, Layout.log())) {
      write(Layout.log());
      awaitMore();

      run("pause", "--reason", "moving back");
      try (Relay after = started(publisher, Layout.nativeTable())) {
        await().atMost(PATIENCE).until(() -> after.state() == Relay.State.PAUSED);
        statement("back");
        await()
            .atMost(PATIENCE)
            .until(() -> run("status", "--layout", "log", "--json").contains("\"pending\":0,"));
        assertThat(before.state()).isEqualTo(Relay.State.RUNNING);
        run("resume");
        awaitMore();
        changeOneAfterTheOther(Layout.nativeTable());
        statement("endback");
        awaitMore();
        stopWriting();
      }
    }
    check();
    assertThat(run("status", "--json")).contains("\"pending\":0,");
  }
}
