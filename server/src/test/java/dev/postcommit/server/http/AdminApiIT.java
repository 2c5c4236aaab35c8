package dev.postcommit.server.http;

import static dev.postcommit.server.http.AdminProcess.RELAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postcommit.Event;
import dev.postcommit.server.CapturedTerminal;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.server.http.AdminProcess.Answer;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.OutboxAdmin.AuditEntry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What operators can do by HTTP is what they can do on the command line. */
class AdminApiIT {
  private static final String SECRET = "a payload";
  private static final OutboxFixture FIXTURE = new OutboxFixture();
  private static AdminProcess process;

  private final CapturedTerminal terminal = FIXTURE.terminal();
  private String first;
  private String second;

  @BeforeAll
  static void start() {
    FIXTURE.migrate();
    process = new AdminProcess(FIXTURE);
  }

  @AfterAll
  static void close() {
    process.close();
    FIXTURE.close();
  }

  @BeforeEach
  void twoDeadEvents() throws SQLException {
    FIXTURE.execute("DELETE FROM postcommit_outbox");
    FIXTURE.execute("DELETE FROM postcommit_outbox_audit");
    first =
        FIXTURE.enqueueDead(
            Event.builder("order.placed")
                .aggregate("order", "order-7")
                .dedupeKey("order-7/placed")
                .header("trace", "abc")
                .json("{\"n\":\"" + SECRET + "\"}"),
            "Kafka refuses it: too large");
    second =
        FIXTURE.enqueueDead(
            Event.builder("order.scanned").bytes(new byte[] {(byte) 0xff, 0, 1}), "no topic");
  }

  /** What the command line prints. */
  private String printed(String... args) {
    assertThat(terminal.run(args)).as(terminal.err()).isZero();
    return terminal.out().strip();
  }

  private static List<String> dead() {
    return FIXTURE.admin().deadIds(DeadFilter.all(), 100);
  }

  @Test
  void relaysAreListedWithTheirProblems() {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              JsonNode relays = process.get("/api/v1/relays").json().path("relays");
              assertThat(relays).hasSize(1);
              JsonNode relay = relays.get(0);
              assertThat(relay.path("name").asText()).isEqualTo("default");
              assertThat(relay.path("state").asText()).isEqualTo("broker-unavailable");
              assertThat(relay.path("table").asText()).isEqualTo("postcommit_outbox");
              assertThat(relay.path("layout").asText()).isEqualTo("native");
              assertThat(relay.at("/database/problem").isNull()).isTrue();
              assertThat(relay.at("/broker/kind").asText()).isEqualTo("kafka");
              assertThat(relay.at("/broker/problem").isTextual()).isTrue();
            });
  }

  @Test
  void theStatusIsThatOfTheCommandLine() throws SQLException {
    FIXTURE.enqueue(Event.builder("order.placed").json("{}"));
    // Not while the relay finds out that its broker is away, between one status and the other.
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> stateOfRelay(status()).equals("broker-unavailable"));
    ObjectNode status = status();
    assertThat(status.remove("broker").path("name").asText()).contains("localhost:1");
    assertThat(status.path("dead").asInt()).isEqualTo(2);
    assertThat(status.path("pending").asInt()).isEqualTo(1);
    assertThat(withoutAge(status.toString())).isEqualTo(withoutAge(printed("status", "--json")));
  }

  private ObjectNode status() {
    return (ObjectNode) process.get(RELAY + "/status").json();
  }

  private static String stateOfRelay(JsonNode status) {
    return status.at("/relay_states/0/state").asText();
  }

  private static String withoutAge(String status) {
    return status.replaceAll("\"((oldest_age|silent|state)_)?seconds\":[0-9.]+", "");
  }

  @Test
  void deadEventsAreListedAsOnTheCommandLine() {
    String path = RELAY + "/dead";
    Answer all = process.get(path);
    assertThat(all.header("Content-Type")).isEqualTo("application/json");
    assertThat(all.body())
        .isEqualTo(printed("dead", "list", "--json"))
        .contains(first, second)
        .doesNotContain(SECRET);
    assertThat(process.get(path + "?limit=1").body())
        .startsWith("{\"total\":2,")
        .isEqualTo(printed("dead", "list", "--json", "--limit=1"));
    assertThat(process.get(path + "?type=order.placed&key=order-7&error=too+large").body())
        .startsWith("{\"total\":1,")
        .isEqualTo(printed("dead", "list", "--json", "--type=order.placed"));
    assertThat(process.get(path + "?topic=order.scanned&from=2020-01-01").body())
        .startsWith("{\"total\":1,")
        .isEqualTo(printed("dead", "list", "--json", "--topic=order.scanned"));
    assertThat(process.get(path + "?before=2020-01-01T00:00:00Z").body())
        .isEqualTo("{\"total\":0,\"events\":[]}");
  }

  @Test
  void oneDeadEventIsShownWithItsPayload() {
    assertThat(process.get(RELAY + "/dead/" + first).body())
        .contains(SECRET)
        .isEqualTo(printed("dead", "show", first, "--json"));
    assertThat(process.get(RELAY + "/dead/" + second).body())
        .contains("\"payload_base64\":\"/wAB\"")
        .isEqualTo(printed("dead", "show", second, "--json"));
    for (String unknown : List.of(UUID.randomUUID().toString(), "x")) {
      Answer answer = process.get(RELAY + "/dead/" + unknown);
      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.detail())
          .startsWith("there is no dead event " + unknown + " in postcommit_");
    }
  }

  @Test
  void replayingLeavesTheTablesAsTheCommandLineDoes() throws SQLException {
    String body = "{\"ids\":[\"%s\"],\"operator\":\"ada\",\"reason\":\"mended\"}".formatted(first);
    Answer answer = process.post(RELAY + "/dead/replay", body);
    String printed =
        printed("dead", "replay", second, "--operator=ada", "--reason=mended", "--json");
    assertThat(answer.body()).isEqualTo(printed.replace(second, first));
    assertThat(dead()).isEmpty();
    assertThat(row(first)).isEqualTo(row(second)).startsWith("pending 0 ");
    assertSameAudit("replay");
  }

  @Test
  void discardingLeavesTheTablesAsTheCommandLineDoes() {
    String body =
        "{\"ids\":[\"%s\"],\"operator\":\"ada\",\"reason\":\"mended\"}"
            .formatted(first.toUpperCase(Locale.ROOT));
    Answer answer = process.post(RELAY + "/dead/discard", body);
    String printed =
        printed("dead", "discard", second, "--operator=ada", "--reason=mended", "--json");
    assertThat(answer.body()).isEqualTo(printed.replace(second, first));
    assertThat(dead()).isEmpty();
    assertThat(FIXTURE.admin().status().pending()).isZero();
    assertSameAudit("discard");
  }

  /** The state of a row, all but what tells it from others. */
  private static String row(String id) throws SQLException {
    String sql =
        "SELECT concat_ws(' ', status, attempts, due_at IS NULL, last_error IS NULL)"
            + " FROM postcommit_outbox WHERE id = ?::uuid";
    try (Connection connection = FIXTURE.database().dataSource().getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, id);
      try (ResultSet row = statement.executeQuery()) {
        assertThat(row.next()).isTrue();
        return row.getString(1);
      }
    }
  }

  /** The newer entry was made by the command line, the older by HTTP. */
  private void assertSameAudit(String action) {
    List<AuditEntry> entries = FIXTURE.admin().audit(10);
    assertThat(entries).extracting(AuditEntry::eventId).containsExactly(second, first);
    assertThat(entries)
        .allSatisfy(
            entry -> {
              assertThat(entry.operator()).isEqualTo("ada");
              assertThat(entry.reason()).isEqualTo("mended");
              assertThat(entry.action().name().toLowerCase(Locale.ROOT)).isEqualTo(action);
              assertThat(entry.attempts()).isEqualTo(1);
            });
    assertThat(process.get(RELAY + "/audit").body()).isEqualTo(printed("dead", "audit", "--json"));
    assertThat(process.get(RELAY + "/audit?limit=1").body())
        .isEqualTo(printed("dead", "audit", "--json", "--limit=1"));
  }

  @Test
  void aDryRunListsWhatWouldBeChangedAndNeedsNobody() {
    Answer answer = process.post(RELAY + "/dead/discard", "{\"all\":true,\"dry_run\":true}");
    assertThat(answer.body())
        .isEqualTo(printed("dead", "discard", "--all", "--dry-run", "--json"))
        .contains("\"discarded\":0", first, second);
    assertThat(dead()).containsExactly(first, second);
    assertThat(FIXTURE.admin().audit(1)).isEmpty();
  }

  @Test
  void filtersSayWhichEventsAreChanged() {
    Answer answer =
        process.post(
            RELAY + "/dead/replay",
            "{\"error\":\"no topic\",\"from\":\"2020-01-01\",\"operator\":\"ada\"}");
    assertThat(answer.json().path("replayed").asInt()).isEqualTo(1);
    assertThat(dead()).containsExactly(first);
    answer = process.post(RELAY + "/dead/replay", "{\"all\":true,\"operator\":\"ada\"}");
    assertThat(answer.json().path("ids").get(0).asText()).isEqualTo(first);
    assertThat(dead()).isEmpty();
    answer = process.post(RELAY + "/dead/replay", "{\"all\":true,\"operator\":\"ada\"}");
    assertThat(answer.json().path("replayed").asInt()).isZero();
  }

  @Test
  void ifOneIdIsNotThatOfADeadEventNothingIsDone() {
    for (String unknown : List.of(UUID.randomUUID().toString(), "x")) {
      for (String verb : List.of("replay", "discard")) {
        Answer answer =
            process.post(
                RELAY + "/dead/" + verb,
                "{\"ids\":[\"%s\",\"%s\"],\"operator\":\"ada\",\"reason\":\"x\"}"
                    .formatted(first, unknown));
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.detail()).startsWith("no dead event " + unknown).contains("nothing was");
      }
    }
    assertThat(dead()).containsExactly(first, second);
  }

  @Test
  void pauseAndResumeAreThoseOfTheCommandLine() {
    assertThat(process.post(RELAY + "/resume", "{\"operator\":\"ada\"}").body())
        .isEqualTo(printed("resume", "--json"));

    process.post(RELAY + "/pause", "{\"operator\":\"ada\",\"reason\":\"upgrade\"}");

    assertThat(FIXTURE.admin().paused())
        .hasValueSatisfying(
            pause -> {
              assertThat(pause.operator()).isEqualTo("ada");
              assertThat(pause.reason()).isEqualTo("upgrade");
            });
    assertThat(process.post(RELAY + "/pause", "{\"operator\":\"bob\"}").body())
        .isEqualTo(printed("pause", "--json"));
    process.post(RELAY + "/resume", "{\"operator\":\"bob\"}");
    assertThat(FIXTURE.admin().paused()).isEmpty();
  }

  @Test
  void topicsAreThoseOfTheCommandLine() throws SQLException {
    String path = RELAY + "/topics";
    assertThat(process.get(path).body())
        .isEqualTo(printed("topics", "--json"))
        .endsWith("\"topics\":[]}");
    FIXTURE.execute(
        "INSERT INTO postcommit_outbox_topic (topic, reason, since, seen_at)"
            + " SELECT name, name || ' does not exist', now(), now()"
            + " FROM unnest(ARRAY['a', 'b']) AS name");

    Answer answer =
        process.post(
            path + "/give-up", "{\"topic\":\"a\",\"operator\":\"ada\",\"reason\":\"gone\"}");

    String printed = printed("topics", "give-up", "b", "--operator=ada", "--reason=gone", "--json");
    assertThat(answer.body()).isEqualTo(printed.replace("\"b\"", "\"a\""));
    assertThat(FIXTURE.admin().topics().orElseThrow())
        .hasSize(2)
        .allSatisfy(
            topic -> {
              assertThat(topic.givenUp()).isNotNull();
              assertThat(topic.givenUp().operator()).isEqualTo("ada");
              assertThat(topic.givenUp().reason()).isEqualTo("gone");
            });
    assertThat(withoutAge(process.get(path).body()))
        .isEqualTo(withoutAge(printed("topics", "--json")))
        .contains("\"reason\":\"a does not exist\"");
    assertThat(status().path("unavailable_topics")).hasSize(2);
    FIXTURE.execute("DELETE FROM postcommit_outbox_topic");
    Answer none =
        process.post(
            path + "/give-up", "{\"topic\":\"a\",\"operator\":\"ada\",\"reason\":\"gone\"}");
    assertThat(none.status()).isEqualTo(409);
    assertThat(none.detail())
        .startsWith("no events of postcommit_outbox at ")
        .endsWith("wait for topic a; nothing was given up");
    assertThat(process.post(path + "/give-up", "{\"topic\":\"a\",\"operator\":\"ada\"}").detail())
        .isEqualTo("reason is missing; say why, it is kept");
    assertThat(process.post(path + "/give-up", "{\"operator\":\"ada\"}").detail())
        .isEqualTo("topic is missing; say which one");
  }

  @Test
  void deliveredEventsArePruned() throws SQLException {
    FIXTURE.enqueueDelivered(Event.builder("order.placed").json("{}"));
    String path = RELAY + "/prune";
    Answer young = process.post(path, "{\"older_than\":\"1h\",\"operator\":\"ada\"}");
    assertThat(young.json().path("deleted").asInt()).isZero();
    Answer answer =
        process.post(path, "{\"older_than\":\"0s\",\"batch_size\":10,\"operator\":\"ada\"}");
    assertThat(answer.json().path("deleted").asInt()).isEqualTo(1);
    assertThat(process.post(path, "{\"older_than\":\"0s\",\"operator\":\"ada\"}").body())
        .isEqualTo(printed("prune", "--older-than=0s", "--json"));
    assertThat(dead()).hasSize(2);
  }

  @Test
  void aRelayIsWoken() {
    Answer answer = process.post(RELAY + "/wake", "{\"operator\":\"ada\"}");
    assertThat(answer.json().path("name").asText()).isEqualTo("default");
  }

  @Test
  void theLogTellsOfEachChangeInOneLineAndOfNothingElse() {
    int before = process.output().length();
    process.get(RELAY + "/dead/" + first);
    process.get(RELAY + "/audit");
    process.post(RELAY + "/dead/replay", "{\"all\":true,\"dry_run\":true}");
    process.post(RELAY + "/dead/replay", "{\"all\":true}");
    process.post(RELAY + "/dead/replay", "{\"all\":true,\"operator\":\"eve\\nroot\"}");
    process.post(RELAY + "/prune", "{\"older_than\":\"900d\",\"operator\":\"ada\"}");

    await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> process.output().substring(before).contains("ada"));
    assertThat(process.output().substring(before).lines().filter(line -> line.contains("operator")))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .endsWith("operator eve root replayed 2 dead events, relay default"),
            line ->
                assertThat(line).endsWith("operator ada pruned 0 delivered events, relay default"));
    assertThat(process.output()).doesNotContain(AdminProcess.TOKEN, SECRET);
  }
}
