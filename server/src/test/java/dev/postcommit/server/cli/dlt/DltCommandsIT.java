package dev.postcommit.server.cli.dlt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.consumer.deadletter.DeadLetter;
import dev.postcommit.consumer.message.ReceivedMessage;
import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.server.CapturedTerminal;
import dev.postcommit.testkit.kafka.KafkaReader;
import dev.postcommit.testkit.kafka.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator does about dead letters (R39). */
class DltCommandsIT {
  private static final Instant FAILED = Instant.parse("2026-03-04T05:06:07Z");

  private final KafkaServer kafka = KafkaServer.shared();
  private final String topic = "orders-" + UUID.randomUUID();
  private final String letters = topic + ".dlt";
  private final KafkaPublisher publisher =
      KafkaPublisher.builder().bootstrapServers(kafka.bootstrapServers()).build();
  private final CapturedTerminal terminal = terminal();
  private Message first;
  private Message second;

  @BeforeEach
  void twoLetters() {
    kafka.createTopic(topic, 1);
    kafka.createTopic(letters, 1);
    first =
        new Message(
            topic,
            "order-7",
            Map.of("event_id", "e1", "event_type", "order.placed", "trace", "abc"),
            bytes("{\"total\": 10.00}"));
    second = new Message(topic, null, Map.of("event_id", "e2"), new byte[] {(byte) 0xff, 0, 1});
    send(first);
    send(second);
    giveUp(letter("e1", "order.placed", first, 0, "no stock", "inventory"));
    giveUp(letter("e2", "order.scanned", second, 1, "no address", "shipping"));
  }

  @AfterEach
  void close() {
    publisher.close();
  }

  @Test
  void theListIsATableOfOneLineEach() {
    assertThat(run("list")).isZero();
    List<String> lines = terminal.outLines();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).matches("ID +AT +TYPE +KEY +CONSUMER +FAILED +ERROR");
    assertThat(lines.get(1))
        .matches("e1 +0:0 +order.placed +order-7 +inventory +2026-03-04T05:06:07Z +no stock");
    assertThat(lines.get(2))
        .matches("e2 +0:1 +order.scanned +- +shipping +2026-03-04T05:06:07Z +no address");
  }

  @Test
  void aListThatIsCutSaysSo() {
    assertThat(run("list", "--limit", "1")).isZero();
    assertThat(terminal.outLines())
        .hasSize(3)
        .last()
        .isEqualTo("the oldest 1 of 2; --limit shows more");
    assertThat(run("list", "--limit", "1", "--json")).isZero();
    assertThat(terminal.out())
        .hasLineCount(1)
        .startsWith("{\"total\":2,\"letters\":[{\"id\":\"e1\",\"position\":\"0:0\",")
        .contains("\"attempts\":3,\"failed_at\":\"2026-03-04T05:06:07Z\",\"error\":\"no stock\"")
        .contains("\"origin\":{\"topic\":\"" + topic + "\"", "\"offset\":\"0\"")
        .contains("\"state\":\"open\"")
        .doesNotContain("\"id\":\"e2\"", "10.00");
  }

  @Test
  void theListIsNarrowedByFilters() {
    assertListed("e1", "--type", "order.placed");
    assertListed("e2", "--consumer", "shipping");
    assertListed("e1", "--key", "order-7", "--error", "stock");
    assertThat(run("list", "--before", "2026-03-04")).isZero();
    assertThat(terminal.out()).isEqualToIgnoringNewLines("no such open letters in " + letters);
    assertThat(run("list", "--from", "2026-03-04")).isZero();
    assertThat(terminal.outLines()).hasSize(3);
  }

  @Test
  void aLetterIsShownWithOriginHeadersAndBody() {
    for (String id : List.of("e1", "0:0")) {
      assertThat(run("show", id)).isZero();
      assertThat(terminal.outLines())
          .contains("id          e1", "at          0:0", "state       open", "attempts    3")
          .contains("key         order-7", "consumer    inventory", "error       no stock")
          .contains("header      trace: abc", "original    16 bytes, text")
          .anyMatch(
              line -> line.startsWith("origin      " + topic + ", ") && line.contains("offset 0"))
          .noneMatch(line -> line.contains("dlt_"))
          .endsWith("{\"total\": 10.00}");
    }
    assertThat(run("show", "e1", "--json")).isZero();
    assertThat(terminal.out())
        .hasLineCount(1)
        .contains("\"trace\":\"abc\"")
        .endsWith("\"original_is\":\"in_letter\",\"original\":\"{\\\"total\\\": 10.00}\"}\n");
    assertThat(run("show", "e2")).isZero();
    assertThat(terminal.outLines()).contains("original    3 bytes, in base64").endsWith("/wAB");
    assertThat(run("show", "e2", "--json")).isZero();
    assertThat(terminal.out()).contains("\"original_base64\":\"/wAB\"");
  }

  @Test
  void anEventWithLettersOfSeveralConsumersIsShownByPosition() {
    giveUp(letter("e1", "order.placed", first, 0, "no stamp", "shipping"));

    assertThat(run("show", "e1")).isEqualTo(1);
    assertThat(terminal.err()).hasLineCount(1).contains("2 letters of e1", "show one of 0:0, 0:2");
    assertThat(run("show", "0:2")).isZero();
    assertThat(terminal.outLines()).contains("error       no stamp");
  }

  /** R39. */
  @Test
  void replayingDeliversTheSameMessageOnce() {
    assertThat(run("replay", "e1", "e2", "--operator", "ada", "--reason", "restocked")).isZero();
    assertThat(terminal.out())
        .isEqualToIgnoringNewLines("2 dead letters of " + letters + " replayed");

    List<Message> messages = KafkaReader.read(kafka.bootstrapServers(), topic, 4);
    assertThat(messages).hasSize(4);
    assertSame(messages.get(2), first);
    assertSame(messages.get(3), second);
    assertThat(run("replay", "e1")).isEqualTo(1);
    assertThat(terminal.err())
        .hasLineCount(1)
        .contains("no open letter e1", "nothing was replayed");
    assertThat(run("replay", "--all", "--yes")).isZero();
    assertThat(terminal.out()).startsWith("0 dead letters of ");
    assertThat(KafkaReader.read(kafka.bootstrapServers(), topic, 4)).hasSize(4);
    assertThat(run("list")).isZero();
    assertThat(terminal.out()).isEqualToIgnoringNewLines("no open letters in " + letters);
    assertThat(run("list", "--all")).isZero();
    assertThat(terminal.outLines()).hasSize(3).first().asString().startsWith("STATE");
    assertThat(terminal.outLines().get(1)).matches("replayed +e1 .*");
    assertThat(run("list", "--all", "--json")).isZero();
    assertThat(terminal.out())
        .contains("\"state\":\"replayed\",\"replayed_at\":\"20")
        .contains("\"operator\":\"ada\",\"reason\":\"restocked\"");
    assertThat(run("show", "e1")).isZero();
    assertThat(terminal.out()).containsPattern("state +replayed at 20\\S+Z by ada: restocked");
  }

  @Test
  void aDryRunSendsNothing() {
    assertThat(run("replay", "--all", "--dry-run")).isZero();
    assertThat(terminal.outLines())
        .containsExactly("e1", "e2", "would replay 2 dead letters of " + letters);
    assertThat(run("replay", "--type", "order.placed", "--dry-run", "--json")).isZero();
    assertThat(terminal.out())
        .isEqualToIgnoringNewLines(
            "{\"topic\":\"%s\",\"dry_run\":true,\"chosen\":1,\"replayed\":0,\"ids\":[\"e1\"],\"failed\":[]}"
                .formatted(letters));
    assertThat(KafkaReader.read(kafka.bootstrapServers(), topic, 2)).hasSize(2);
    assertThat(KafkaReader.read(kafka.bootstrapServers(), letters, 2)).hasSize(2);
  }

  @Test
  void allAndFiltersNeedAYes() {
    assertThat(run("replay", "--all")).isEqualTo(2);
    assertThat(terminal.err()).hasLineCount(1).contains("--all needs --yes");
    assertThat(run("replay", "--consumer", "shipping")).isEqualTo(2);
    assertThat(terminal.err()).hasLineCount(1).contains("a filter needs --yes");
    String[] replay = {"dlt", "replay", "--topic", topic, "--all"};
    CapturedTerminal no = terminal().answering("n");
    assertThat(no.run(replay)).isEqualTo(1);
    assertThat(no.err())
        .isEqualToIgnoringNewLines(
            "Really replay 2 dead letters of " + letters + "? [y/N] nothing replayed");
    assertThat(KafkaReader.read(kafka.bootstrapServers(), topic, 2)).hasSize(2);
    assertThat(terminal().answering("y").run(replay)).isZero();
    assertThat(KafkaReader.read(kafka.bootstrapServers(), topic, 4)).hasSize(4);
  }

  @Test
  void anOmittedBodyComesFromWhereItWas() {
    Message large = new Message(topic, "k", Map.of("event_id", "e3"), bytes("\"large\""));
    send(large);
    giveUp(letter("e3", "order.placed", large, 2, "too large", "inventory").withoutBody());

    assertThat(run("show", "e3")).isZero();
    assertThat(terminal.outLines()).endsWith("original    omitted");
    assertThat(run("replay", "e3")).isZero();
    assertSame(KafkaReader.read(kafka.bootstrapServers(), topic, 4).get(3), large);
  }

  @Test
  void lettersOfOtherServicesAreReplayedAndWhatIsNoneIsTold() {
    String body =
        "{\"eventId\":\"f1\",\"originalEvent\":{\"eventType\":\"order.paid\",\"n\":1.0},\"errorMessage\":\"boom\",\"failedAt\":\"2026-03-05T00:00:00Z\",\"consumerService\":\"mailer\"}";
    send(new Message(letters, "k", Map.of(), bytes(body)));
    send(new Message(letters, "k", Map.of(), bytes("no letter")));

    assertListed("f1", "--type", "order.paid", "--consumer", "mailer");
    assertThat(run("replay", "--key", "k", "--yes", "--json")).isEqualTo(1);
    assertThat(terminal.out())
        .contains(
            "\"replayed\":1,\"ids\":[\"f1\",\"0:3\"],\"failed\":[{\"id\":null,\"position\":\"0:3\"");
    assertThat(terminal.err())
        .isEqualToIgnoringNewLines(
            "letter 0:3 at 0:3 was not replayed: it does not hold the original event");
    Message replayed = KafkaReader.read(kafka.bootstrapServers(), topic, 3).get(2);
    assertThat(new String(replayed.body(), StandardCharsets.UTF_8))
        .isEqualTo("{\"eventType\":\"order.paid\",\"n\":1.0}");
    assertThat(replayed.headers()).isEmpty();
  }

  @Test
  void whatIsNotThereIsOneLine() {
    assertThat(run("show", "e9")).isEqualTo(1);
    assertThat(terminal.err()).hasLineCount(1).contains("no letter e9 in " + letters);
    assertThat(run("replay", "e1", "e9")).isEqualTo(1);
    assertThat(terminal.err())
        .hasLineCount(1)
        .contains("no open letter e9", "nothing was replayed");
    assertThat(terminal.run("dlt", "list", "--topic", "nowhere.dlt")).isEqualTo(1);
    assertThat(terminal.err()).hasLineCount(1).contains("topic nowhere.dlt does not exist");
    assertThat(KafkaReader.read(kafka.bootstrapServers(), topic, 2)).hasSize(2);
  }

  @Test
  void aBrokerThatIsDownIsToldWithinSeconds() {
    Instant begin = Instant.now();
    assertThat(run("list", "--kafka-bootstrap-servers", "localhost:1")).isEqualTo(1);
    assertThat(terminal.err()).hasLineCount(1).contains("Kafka at localhost:1 does not answer");
    assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(15));
  }

  private CapturedTerminal terminal() {
    return CapturedTerminal.withEnvironment(
        Map.of("POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers()));
  }

  /** Runs a command on the topic, whose suffix is left out. */
  private int run(String command, String... args) {
    String[] all = new String[args.length + 4];
    all[0] = "dlt";
    all[1] = command;
    all[2] = "--topic";
    all[3] = topic;
    System.arraycopy(args, 0, all, 4, args.length);
    return terminal.run(all);
  }

  private void assertListed(String id, String... filter) {
    assertThat(run("list", filter)).isZero();
    assertThat(terminal.outLines()).hasSize(2).last().asString().startsWith(id + " ");
  }

  private static void assertSame(Message replayed, Message original) {
    assertThat(replayed.key()).isEqualTo(original.key());
    assertThat(replayed.headers()).isEqualTo(original.headers());
    assertThat(replayed.body()).isEqualTo(original.body());
  }

  private static DeadLetter letter(
      String id, String type, Message message, int offset, String error, String consumer) {
    Map<String, String> origin = Map.of("partition", "0", "offset", Integer.toString(offset));
    return new DeadLetter(
        id,
        type,
        new ReceivedMessage(
            message.topic(), message.key(), message.headers(), message.body(), origin),
        error,
        "java.lang.IllegalStateException",
        3,
        FAILED,
        consumer);
  }

  /** What a consumer does when it gives up. */
  private void giveUp(DeadLetter letter) {
    Map<String, String> headers = new HashMap<>(letter.message().headers());
    headers.putAll(letter.headers());
    send(new Message(letter.topic(), letter.message().key(), headers, letter.body()));
  }

  private void send(Message message) {
    assertThat(publisher.send(message).toCompletableFuture().join())
        .isInstanceOf(Delivery.Delivered.class);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
