package dev.postcommit.server.cli.dead;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.server.CapturedTerminal;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.store.DeadFilter;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeadCommandsIT {
  private final OutboxFixture fixture = new OutboxFixture();
  private final CapturedTerminal terminal = fixture.terminal();
  private String first;
  private String second;

  @BeforeEach
  void twoDeadEvents() throws SQLException {
    fixture.migrate();
    first =
        fixture.enqueueDead(
            Event.builder("order.placed")
                .aggregate("order", "order-7")
                .dedupeKey("order-7/placed")
                .header("trace", "abc")
                .json("{\"n\":1}"),
            "Kafka refuses it: too large");
    second =
        fixture.enqueueDead(
            Event.builder("order.scanned").bytes(new byte[] {(byte) 0xff, 0, 1}), "no topic");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void theListIsATableOfOneLineEach() {
    assertThat(terminal.run("dead", "list")).isZero();
    List<String> lines = terminal.outLines();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).matches("ID +TYPE +KEY +ATTEMPTS +CREATED +ERROR");
    assertThat(lines.get(1))
        .matches(first + " +order.placed +order-7 +1 +20\\S+Z +Kafka refuses it: too large");
    assertThat(lines.get(2)).matches(second + " +order.scanned +- +1 +20\\S+Z +no topic");
  }

  @Test
  void aListThatIsCutSaysSo() {
    assertThat(terminal.run("dead", "list", "--limit", "1")).isZero();
    assertThat(terminal.outLines())
        .hasSize(3)
        .last()
        .isEqualTo("the oldest 1 of 2; --limit shows more");
    assertThat(terminal.run("dead", "list", "--limit", "1", "--json")).isZero();
    assertThat(terminal.out())
        .hasLineCount(1)
        .startsWith("{\"total\":2,\"events\":[{\"id\":\"" + first + "\"")
        .doesNotContain(second)
        .contains("\"payload_bytes\":7")
        .doesNotContain("\"n\":1");
  }

  @Test
  void anEventIsShownWithHeadersAndPayload() {
    assertThat(terminal.run("dead", "show", first)).isZero();
    assertThat(terminal.outLines())
        .contains("id          " + first, "key         order-7", "header      trace: abc")
        .contains("error       Kafka refuses it: too large", "payload     7 bytes, text")
        .endsWith("{\"n\":1}");
    assertThat(terminal.run("dead", "show", first, "--json")).isZero();
    assertThat(terminal.out())
        .hasLineCount(1)
        .contains("\"headers\":{\"trace\":\"abc\"},\"payload\":\"{\\\"n\\\":1}\"}");
  }

  @Test
  void aPayloadThatIsNoTextIsShownInBase64() {
    assertThat(terminal.run("dead", "show", second)).isZero();
    assertThat(terminal.outLines()).contains("payload     3 bytes, in base64").endsWith("/wAB");
    assertThat(terminal.run("dead", "show", second, "--json")).isZero();
    assertThat(terminal.out()).contains("\"payload_base64\":\"/wAB\"");
  }

  @Test
  void theListIsNarrowedByFilters() {
    assertThat(terminal.run("dead", "list", "--type", "order.scanned")).isZero();
    assertThat(terminal.outLines()).hasSize(2).last().asString().startsWith(second);
    assertThat(terminal.run("dead", "list", "--key", "order-7", "--error", "refuses")).isZero();
    assertThat(terminal.outLines()).hasSize(2).last().asString().startsWith(first);
    assertThat(terminal.run("dead", "list", "--topic", "order.placed", "--json")).isZero();
    assertThat(terminal.out()).startsWith("{\"total\":1,").contains(first);
    assertThat(terminal.run("dead", "list", "--before", "2020-01-01")).isZero();
    assertThat(terminal.out()).startsWith("no such dead events in postcommit_outbox");
    assertThat(terminal.run("dead", "list", "--from", "2020-01-01T00:00:00+02:00")).isZero();
    assertThat(terminal.outLines()).hasSize(3);
  }

  @Test
  void anIdThatIsNotDeadIsOneLineAndNothingIsDone() {
    for (String unknown : new String[] {UUID.randomUUID().toString(), "x"}) {
      for (String verb : new String[] {"show", "replay", "discard"}) {
        String[] args = {"dead", verb, unknown, "--reason=x"};
        assertThat(terminal.run(verb.equals("show") ? Arrays.copyOf(args, 3) : args)).isEqualTo(1);
        assertThat(terminal.err()).hasLineCount(1).contains("no dead event " + unknown);
      }
      assertThat(terminal.run("dead", "replay", first, unknown)).isEqualTo(1);
      assertThat(terminal.err()).contains("nothing was replayed");
    }
    assertThat(terminal.run("dead", "replay", first, "--type", "order.scanned")).isEqualTo(1);
    assertThat(fixture.admin().status().dead()).isEqualTo(2);
  }

  @Test
  void replayingMakesAnEventPending() {
    assertThat(terminal.run("dead", "replay", first.toUpperCase(Locale.ROOT))).isZero();
    assertThat(terminal.out())
        .startsWith("1 dead event of postcommit_outbox at ")
        .contains("replayed");
    assertThat(fixture.admin().deadIds(DeadFilter.all(), 100)).containsExactly(second);
    assertThat(fixture.admin().status().pending()).isEqualTo(1);
  }

  @Test
  void discardingDeletesAnEvent() {
    assertThat(terminal.run("dead", "discard", first, "--reason", "a test", "--json")).isZero();
    assertThat(terminal.out())
        .isEqualToIgnoringNewLines(
            "{\"table\":\"postcommit_outbox\",\"dry_run\":false,\"chosen\":1,\"discarded\":1,\"ids\":[\""
                + first
                + "\"]}");
    assertThat(fixture.admin().deadIds(DeadFilter.all(), 100)).containsExactly(second);
    assertThat(fixture.admin().status().pending()).isZero();
  }

  @Test
  void aDryRunOfManyDoesNotListThemAll() throws SQLException {
    for (int i = 0; i < 28; i++) {
      fixture.enqueueDead(Event.builder("many").topic("t").json("{}"), "many");
    }
    assertThat(terminal.run("dead", "replay", "--all", "--dry-run")).isZero();
    assertThat(terminal.outLines())
        .startsWith(first, second)
        .hasSizeLessThan(26)
        .contains("... and 10 more, which --json lists")
        .anyMatch(line -> line.matches(" +28  many"))
        .last()
        .asString()
        .startsWith("would replay 30 dead events of postcommit_outbox");
  }

  @Test
  void aDryRunListsExactlyWhatWouldBeChanged() {
    assertThat(terminal.run("dead", "discard", "--all", "--dry-run")).isZero();
    assertThat(terminal.outLines())
        .startsWith(first, second)
        .last()
        .asString()
        .startsWith("would discard 2 dead events of postcommit_outbox");
    assertThat(terminal.run("dead", "replay", "--error", "no topic", "--dry-run", "--json"))
        .isZero();
    assertThat(terminal.out())
        .contains("\"dry_run\":true,\"chosen\":1,\"replayed\":0,\"ids\":[\"" + second + "\"]")
        .contains("\"reasons\":[{\"error\":\"no topic", "\"events\":1}]");
    assertThat(fixture.admin().status().dead()).isEqualTo(2);
    assertThat(fixture.admin().audit(1)).isEmpty();

    assertThat(terminal.run("dead", "replay", "--error", "no topic", "--yes")).isZero();
    assertThat(fixture.admin().deadIds(DeadFilter.all(), 100)).containsExactly(first);
  }

  @Test
  void allAndFiltersNeedAYes() {
    String[] discard = {"dead", "discard", "--all", "--reason", "x"};
    assertThat(terminal.run(discard)).isEqualTo(2);
    assertThat(terminal.err()).hasLineCount(1).contains("--all needs --yes");
    assertThat(terminal.run("dead", "replay", "--type", "order.placed")).isEqualTo(2);
    assertThat(terminal.err()).hasLineCount(1).contains("a filter needs --yes");
    assertThat(fixture.terminal().answering("n").run(discard)).isEqualTo(1);
    assertThat(fixture.admin().status().dead()).isEqualTo(2);

    assertThat(fixture.terminal().answering("y").run("dead", "replay", "--all")).isZero();
    assertThat(fixture.admin().status().pending()).isEqualTo(2);
    assertThat(terminal.run("dead", "replay", "--all", "--yes")).isZero();
    assertThat(terminal.out()).startsWith("0 dead events");
  }

  @Test
  void theAuditTellsWhoDidWhatAndWhy() {
    assertThat(terminal.run("dead", "audit")).isZero();
    assertThat(terminal.out()).startsWith("nothing was replayed or discarded in postcommit_outbox");
    terminal.run("dead", "replay", first);
    terminal.run("dead", "discard", second, "--reason", "a test", "--operator", "ada");

    assertThat(terminal.run("dead", "audit")).isZero();
    List<String> lines = terminal.outLines();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).matches("AT +ACTION +OPERATOR +ID +TYPE +REASON");
    assertThat(lines.get(1))
        .matches("20\\S+Z +discard +ada +" + second + " +order.scanned +a test");
    assertThat(lines.get(2))
        .matches("20\\S+Z +replay +" + CapturedTerminal.USER + " +" + first + " +order.placed +-");
    assertThat(terminal.run("dead", "audit", "--limit", "1", "--json")).isZero();
    assertThat(terminal.out())
        .hasLineCount(1)
        .startsWith("{\"entries\":[{\"at\":\"20")
        .contains("\"action\":\"discard\",\"operator\":\"ada\",\"reason\":\"a test\"")
        .contains("\"attempts\":1,\"error\":\"no topic\"")
        .doesNotContain(first);
  }
}
