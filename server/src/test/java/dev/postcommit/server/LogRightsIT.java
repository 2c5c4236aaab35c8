package dev.postcommit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Enqueued;
import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.store.LayoutCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The rights that docs/layouts.md gives to a log's writers and relays are enough. */
class LogRightsIT {
  private static final Path PAGE = Path.of("../docs/layouts.md");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final OutboxFixture fixture = new OutboxFixture(Layout.log());
  private final String relayUser = "relay_" + fixture.database().name();
  private final String writerUser = "writer_" + fixture.database().name();

  @AfterEach
  void close() throws SQLException {
    fixture.execute(
        "DROP OWNED BY %1$s, %2$s; DROP ROLE %1$s, %2$s".formatted(relayUser, writerUser));
    fixture.close();
  }

  private void grant(String name, String user) throws SQLException, IOException {
    Matcher block =
        Pattern.compile("(?s)<!-- statement: " + name + " -->\n```sql\n(.*?)```")
            .matcher(Files.readString(PAGE));
    assertThat(block.find()).as(name).isTrue();
    fixture.execute(block.group(1).replace(" TO " + name + ";", " TO " + user + ";"));
  }

  private PGSimpleDataSource login(String user) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(fixture.database().jdbcUrl());
    dataSource.setUser(user);
    return dataSource;
  }

  private static Publisher answering(Function<Message, Delivery> answers) {
    return new Publisher() {
      @Override
      public CompletionStage<Delivery> send(Message message) {
        return CompletableFuture.completedFuture(answers.apply(message));
      }

      @Override
      public Optional<String> problem() {
        return Optional.empty();
      }

      @Override
      public Duration deliveryTimeout() {
        return Duration.ofSeconds(1);
      }
    };
  }

  private static Event.Builder event(String key) {
    return Event.builder("order.placed").key(key).json("1");
  }

  @Test
  void writersAndRelaysNeedNoMore() throws SQLException, IOException {
    fixture.migrate();
    fixture.execute("CREATE ROLE %s LOGIN; CREATE ROLE %s LOGIN".formatted(relayUser, writerUser));
    fixture.execute("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC");
    grant("relay", relayUser);
    grant("writer", writerUser);
    assertThat(LayoutCheck.of(login(relayUser), Layout.log()).relay()).isEmpty();
    try (Connection tx = login(writerUser).getConnection()) {
      tx.setAutoCommit(false);
      Outbox outbox = Outbox.builder(Layout.log()).build();
      outbox.enqueueAll(
          tx,
          List.of(
              event("a").build(),
              event("gone").topic("missing").build(),
              event("bad").build(),
              event("b").dedupeKey("1").build(),
              event("c").availableAt(Instant.now().plusMillis(500)).dedupeKey("2").build()));
      assertThat(outbox.enqueue(tx, event("b").dedupeKey("1").build()))
          .isInstanceOf(Enqueued.AlreadyEnqueued.class);
      tx.commit();
    }

    List<String> sent = new CopyOnWriteArrayList<>();
    AtomicBoolean created = new AtomicBoolean();
    Publisher publisher =
        answering(
            message -> {
              if (message.topic().equals("missing")) {
                return created.get()
                    ? Delivery.DELIVERED
                    : new Delivery.TopicUnavailable("topic missing does not exist", null);
              }
              sent.add(message.key());
              return "bad".equals(message.key()) && sent.stream().filter("bad"::equals).count() == 1
                  ? new Delivery.Retryable("not now", null)
                  : Delivery.DELIVERED;
            });
    try (Relay relay = Relay.builder(login(relayUser), publisher).layout(Layout.log()).build()) {
      relay.start();
      await().atMost(PATIENCE).until(() -> fixture.admin().status().pending() == 1);
      await().atMost(PATIENCE).until(() -> fixture.admin().topics().orElseThrow().size() == 1);
      created.set(true);
      await().atMost(PATIENCE).until(() -> fixture.admin().status().pending() == 0);
      await().atMost(PATIENCE).until(() -> fixture.admin().topics().orElseThrow().isEmpty());
      assertThat(sent).containsExactlyInAnyOrder("a", "b", "bad", "bad", "c");
      await().atMost(PATIENCE).until(() -> fixture.admin().relays().orElseThrow().size() == 1);
    }
  }
}
