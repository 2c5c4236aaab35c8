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
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.table.TableStatus;
import dev.postcommit.settings.ConfiguredRelay;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What operators see of topics that take no messages, and what they decide. */
class TopicCommandsIT {
  private static final String REASON = "topic shipments does not exist; create it";

  private final OutboxFixture fixture = new OutboxFixture();
  private final CapturedTerminal terminal = fixture.terminal();

  @BeforeEach
  void migrate() {
    fixture.migrate();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  /** A relay with these settings, whose broker has no topic {@code shipments}. */
  private Relay started(Map<String, String> flags) {
    Publisher publisher =
        new Publisher() {
          @Override
          public CompletionStage<Delivery> send(Message message) {
            return CompletableFuture.completedFuture(
                message.topic().equals("shipments")
                    ? new Delivery.TopicUnavailable(REASON, null)
                    : Delivery.DELIVERED);
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
    Settings settings = Settings.read(flags, null, Map.of(), Path.of("no such directory"));
    Relay relay =
        ConfiguredRelay.build(
            settings,
            Layout.nativeTable(),
            publisher,
            Relay.builder(fixture.database().dataSource(), publisher),
            "");
    relay.start();
    return relay;
  }

  private String enqueue(String topic) throws SQLException {
    return fixture.enqueue(Event.builder("order.placed").topic(topic).key("k").json("1"));
  }

  private String run(String... args) {
    assertThat(terminal.run(args)).as(terminal.err()).isZero();
    return terminal.out();
  }

  private long dead() {
    return fixture.admin().status().dead();
  }

  @Test
  @DisplayName("R49: topics and status name a topic that takes no messages, since when and why")
  void aTopicThatTakesNoMessagesIsShown() throws SQLException {
    assertThat(run("topics")).startsWith("no events of postcommit_outbox at jdbc:");
    assertThat(run("topics", "--json"))
        .isEqualToIgnoringNewLines("{\"table\":\"postcommit_outbox\",\"topics\":[]}");
    assertThat(run("status", "--json")).contains("\"unavailable_topics\":[]");
    enqueue("shipments");
    try (Relay relay = started(Map.of())) {
      await().until(() -> run("topics").startsWith("TOPIC "));
      assertThat(terminal.outLines()).hasSize(2);
      assertThat(terminal.outLines().get(1))
          .matches("shipments  \\S+Z  \\S+(ms|s)  +-  +" + REASON);
      assertThat(run("topics", "--json"))
          .contains("{\"topic\":\"shipments\",\"reason\":\"" + REASON + "\",\"since\":\"")
          .contains("\"given_up\":null}");
      await().until(() -> run("status").contains(": events wait: " + REASON));
      assertThat(terminal.outLines())
          .anyMatch(
              line ->
                  line.startsWith("  topic      shipments: takes no messages for ")
                      && line.endsWith(": " + REASON));
      assertThat(run("status", "--json"))
          .contains("\"state\":\"running\"", "\"reason\":\"events wait: " + REASON + "\"")
          .contains("\"unavailable_topics\":[{\"topic\":\"shipments\"");
      assertThat(TableStatus.of(fixture.admin()).summary(null))
          .contains("  topic shipments: takes no messages for ")
          .doesNotContain("  relay ");
      assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
    }
  }

  @Test
  @DisplayName("R21: an operator gives up the events that wait for a topic, and says who and why")
  void anOperatorGivesUp() throws SQLException {
    String id = enqueue("shipments");
    try (Relay relay = started(Map.of())) {
      await().until(() -> run("topics").startsWith("TOPIC "));
      assertThat(terminal.run("topics", "give-up", "shipment", "--reason", "never made"))
          .isEqualTo(1);
      assertThat(terminal.err())
          .hasLineCount(1)
          .contains("no events of postcommit_outbox at jdbc:")
          .endsWith("wait for topic shipment; nothing was given up\n");
      assertThat(run("topics", "give-up", "shipments", "--reason", "never made"))
          .startsWith("the events of postcommit_outbox at jdbc:")
          .contains("wait for topic shipments are given up; they are dead within seconds");
      assertThat(run("topics")).contains("  by grace: never made  ");
      assertThat(run("status")).contains(", given up by grace: never made: " + REASON);
      await().until(() -> dead() == 1);
      assertThat(run("dead", "show", id)).contains("given up by grace: never made: " + REASON);
      assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
    }
  }

  @Test
  @DisplayName("R21: give-up-after ends the wait for a topic, and events are not given up without")
  void theSettingEndsTheWait() throws SQLException {
    String id = enqueue("shipments");
    try (Relay relay = started(Map.of("give-up-after", "1s"))) {
      await().until(() -> dead() == 1);
      assertThat(run("dead", "show", id)).contains("gave up after", REASON);
      assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
    }
  }

  @Test
  void withoutTheTableForItItIsSaidWhatToDo() throws SQLException {
    fixture.execute("DROP TABLE postcommit_outbox_topic");
    for (String[] command :
        new String[][] {{"topics"}, {"topics", "give-up", "shipments", "--reason", "x"}}) {
      assertThat(terminal.run(command)).isEqualTo(1);
      assertThat(terminal.err())
          .hasLineCount(1)
          .contains("postcommit_outbox_topic", "; run 'postcommit migrate' first");
    }
    assertThat(run("status", "--json")).contains("\"unavailable_topics\":[]");
  }
}
