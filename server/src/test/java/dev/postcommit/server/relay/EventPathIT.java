package dev.postcommit.server.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.postcommit.Event;
import dev.postcommit.server.CapturedTerminal;
import dev.postcommit.server.Main;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R50, R51: what became of an event is found by its id alone. */
class EventPathIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String TOPIC = "event-path";
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  private final Processes processes = Processes.create();
  private final OutboxFixture fixture = new OutboxFixture();
  private final List<String> exports = new CopyOnWriteArrayList<>();
  private HttpServer collector;

  @BeforeEach
  void open() throws IOException {
    collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/traces",
        exchange -> {
          byte[] spans = exchange.getRequestBody().readAllBytes();
          exports.add(new String(spans, StandardCharsets.ISO_8859_1));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
  }

  @AfterEach
  void close() {
    processes.close();
    collector.stop(0);
    fixture.close();
  }

  private static Event event(int bytes) {
    return Event.builder("order.paid")
        .topic(TOPIC)
        .aggregate("order", "o-1")
        .header("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01")
        .json("{\"secret\":\"" + "s3cr3t".repeat(bytes / 6) + "\"}")
        .build();
  }

  @Test
  @DisplayName("R50, R51: a dead event and a delivered one are found by id in log, trace and table")
  void anEventIsFoundByItsIdAlone() throws Exception {
    KafkaServer.shared().createTopic(TOPIC, 1, Map.of("max.message.bytes", "2000"));
    fixture.migrate();
    Event good = event(60);
    Event bad = event(6000);
    fixture.enqueueAll(List.of(good, bad));
    Processes.Builder builder = processes.java(Main.class).arguments("relay");
    fixture.environment().forEach(builder::environment);
    ChildProcess relay =
        builder
            .environment(
                "POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS", KafkaServer.shared().bootstrapServers())
            .environment("POSTCOMMIT_LOG_FORMAT", "json")
            .environment("POSTCOMMIT_LOG_LEVEL", "dev.postcommit.event=debug")
            .environment(
                "POSTCOMMIT_OTLP_ENDPOINT", "http://127.0.0.1:" + collector.getAddress().getPort())
            .start();
    await()
        .atMost(PATIENCE)
        .until(
            () -> fixture.admin().status().pending() == 0 && fixture.admin().status().dead() == 1);
    relay.terminate();
    assertThat(relay.awaitExit(PATIENCE)).as(relay.output()).isZero();

    String badId = bad.id().toString();
    assertThat(lines(relay, badId))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("\"event_id\":\"" + badId + "\"")
                    .contains("\"event_type\":\"order.paid\"")
                    .contains("\"aggregate_type\":\"order\"", "\"aggregate_id\":\"o-1\"")
                    .contains("\"traceId\":\"" + TRACE + "\"")
                    .contains("dead event"));
    assertThat(lines(relay, good.id().toString()))
        .anySatisfy(line -> assertThat(line).contains("delivered"));
    assertThat(relay.output()).doesNotContain("s3cr3t");

    byte[] trace = HexFormat.of().parseHex(TRACE);
    String traceId = new String(trace, StandardCharsets.ISO_8859_1);
    assertThat(exports)
        .anySatisfy(spans -> assertThat(spans).contains(badId, traceId, "send " + TOPIC));
    assertThat(String.join("", exports)).contains(good.id().toString()).doesNotContain("s3cr3t");

    CapturedTerminal terminal = fixture.terminal();
    assertThat(terminal.run("dead", "show", badId)).isZero();
    assertThat(terminal.out()).contains(badId, "order.paid", TRACE, "error");
  }

  private static Stream<String> lines(ChildProcess process, String id) {
    return process.output().lines().filter(line -> line.contains(id));
  }
}
