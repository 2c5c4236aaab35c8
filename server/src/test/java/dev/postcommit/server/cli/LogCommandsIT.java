package dev.postcommit.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.server.CapturedTerminal;
import dev.postcommit.server.OutboxFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The commands of operators on a log. */
class LogCommandsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final OutboxFixture fixture = new OutboxFixture(Layout.log());
  private final CapturedTerminal terminal = fixture.terminal();
  private final List<Message> sent = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static Event.Builder event() {
    return Event.builder("order.placed").aggregate("order", "order-7").json("{\"n\":1}");
  }

  private String run(String... args) {
    assertThat(terminal.run(args)).as(terminal.err()).isZero();
    return terminal.out();
  }

  /** A relay whose broker refuses what has the key {@code bad} for now, and takes all else. */
  private Relay started() {
    Publisher publisher =
        new Publisher() {
          @Override
          public CompletionStage<Delivery> send(Message message) {
            boolean bad = "bad".equals(message.key());
            if (!bad) {
              sent.add(message);
            }
            return CompletableFuture.completedFuture(
                bad ? new Delivery.Retryable("not now", null) : Delivery.DELIVERED);
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
    Relay relay =
        Relay.builder(fixture.database().dataSource(), publisher).layout(Layout.log()).build();
    relay.start();
    return relay;
  }

  @Test
  void migratingSaysWhatItDidAndThenThatAllIsUpToDate() {
    assertThat(run("migrate")).contains(" migrations applied to postcommit_log at jdbc:");
    assertThat(run("migrate")).startsWith("postcommit_log at jdbc:").contains("is up to date");
    assertThat(run("migrate", "--json", "--table", "billing.events"))
        .startsWith("{\"table\":\"billing.events\",\"layout\":\"log\",\"applied\":")
        .contains("\"relay_problems\":[],\"admin_problems\":[],\"outbox_problems\":[]");
  }

  @Test
  void aLogThatIsNotThereIsOneLineThatSaysWhatToDo() {
    for (String[] command :
        new String[][] {{"status"}, {"dead", "list"}, {"prune", "--older-than", "1d"}, {"pause"}}) {
      assertThat(terminal.run(command)).isEqualTo(1);
      assertThat(terminal.err()).hasLineCount(1).contains("run 'postcommit migrate'");
    }
  }

  @Test
  void statusCountsWhatIsInTheLogAndBesideIt() throws SQLException {
    fixture.migrate();
    fixture.enqueueDead(event(), "refused");
    fixture.enqueue(event());
    fixture.enqueue(event().availableAt(Instant.parse("2999-01-01T00:00:00Z")));

    run("status");
    assertThat(terminal.outLines())
        .contains("  pending    2", "  in flight  0", "  delayed    1", "  diverted   1")
        .contains("  dead       1", "  leader     nobody", "  relays     0");
    assertThat(run("status", "--json"))
        .startsWith("{\"table\":\"postcommit_log\",\"layout\":\"log\",\"pending\":2,")
        .contains("\"delayed\":1,\"dead\":1,\"diverted\":1,\"leader\":null,");
  }

  @Test
  void statusShowsWhoLeadsAndWhatIsDiverted() throws SQLException {
    fixture.migrate();
    try (Relay first = started()) {
      fixture.enqueue(event());
      await().atMost(PATIENCE).until(() -> sent.size() == 1);
      try (Relay second = started()) {
        String leader = "\"leader\":\"" + first.id() + "\"";
        await().atMost(PATIENCE).until(() -> run("status", "--json").contains("\"relays\":2,"));
        assertThat(terminal.out()).contains(leader).contains(second.id().toString());
        String name = first.id().toString().substring(0, 8);
        run("status");
        assertThat(terminal.outLines())
            .anyMatch(line -> line.startsWith("  leader     " + name + " on "));

        fixture.enqueue(event().key("bad"));
        fixture.enqueue(event().key("bad"));
        await().atMost(PATIENCE).until(() -> run("status", "--json").contains("\"diverted\":2,"));
        assertThat(terminal.out()).contains("\"pending\":2,", leader);
      }
    }
    run("status");
    assertThat(terminal.outLines()).contains("  leader     nobody");
  }

  @Test
  void deadEventsAreListedShownReplayedAndDiscarded() throws SQLException {
    fixture.migrate();
    String first = fixture.enqueueDead(event(), "too large");
    String second = fixture.enqueueDead(event(), "no topic");

    run("dead", "list");
    assertThat(terminal.outLines()).hasSize(3);
    assertThat(run("dead", "show", first)).contains("too large").endsWith("{\"n\":1}\n");
    run("dead", "replay", first, "--reason", "it is larger now");
    run("dead", "discard", second, "--reason", "a test");
    assertThat(run("dead", "audit"))
        .contains("it is larger now", "a test", first, second, CapturedTerminal.USER);
    assertThat(fixture.admin().status().dead()).isZero();
    try (Relay relay = started()) {
      await().atMost(PATIENCE).until(() -> sent.size() == 1);
      assertThat(relay.id()).isNotNull();
      assertThat(sent.get(0).headers()).containsEntry("event_id", first);
    }
  }

  /** By the statement of docs/operations/failed-events.md. */
  @Test
  void anEventOfTheLogIsGivenUpByHand() throws SQLException, IOException {
    fixture.migrate();
    String id = fixture.enqueue(event());
    fixture.enqueue(event());
    Matcher statement =
        Pattern.compile("(?s)```sql\\n(WITH gone .*?)```")
            .matcher(Files.readString(Path.of("../docs/operations/failed-events.md")));
    assertThat(statement.find()).isTrue();
    fixture.execute(statement.group(1).replace("…", id));

    assertThat(run("dead", "show", id)).contains("given up by hand").endsWith("{\"n\":1}\n");
    try (Relay relay = started()) {
      await().atMost(PATIENCE).until(() -> fixture.admin().status().pending() == 0);
      assertThat(sent).hasSize(1);
      run("dead", "replay", id);
      await().atMost(PATIENCE).until(() -> sent.size() == 2);
      assertThat(sent.get(1).headers()).containsEntry("event_id", id);
      assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
    }
  }

  @Test
  void pruningDeletesDeliveredEventsOnly() throws SQLException {
    fixture.migrate();
    fixture.enqueueDelivered(event());
    fixture.enqueueDelivered(event());
    fixture.enqueueDead(event(), "refused");
    fixture.enqueue(event());

    assertThat(run("prune", "--older-than", "1h")).startsWith("0 delivered events");
    run("prune", "--older-than", "0s", "--batch-size", "1", "--json");
    assertThat(fixture.admin().status().pending()).isEqualTo(1);
    assertThat(fixture.admin().status().dead()).isEqualTo(1);
    assertThat(run("prune", "--older-than", "0s")).startsWith("0 delivered events");
  }

  @Test
  void aPausedLogIsReadByNobody() throws SQLException {
    fixture.migrate();
    run("pause", "--reason", "a move");
    try (Relay relay = started()) {
      await().atMost(PATIENCE).until(() -> relay.state() == Relay.State.PAUSED);
      fixture.enqueue(event());
      run("status");
      assertThat(terminal.outLines())
          .contains("  pending    1", "  leader     nobody", "  relays     1")
          .anyMatch(line -> line.startsWith("  paused     by grace: a move"));
      assertThat(sent).isEmpty();
      run("resume");
      await().atMost(PATIENCE).until(() -> sent.size() == 1);
    }
  }
}
