package dev.postcommit.server.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.layout.Layout;
import dev.postcommit.server.OutboxFixture;
import dev.postcommit.testkit.kafka.KafkaServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * R48: the process needs no more memory than it is said to, with the options of the container and
 * every default setting.
 */
class MemoryIT {
  private static final Path JAR = Path.of("target", "outbox-publisher.jar").toAbsolutePath();
  private static final Path DOCKERFILE = Path.of("..", "Dockerfile");
  private static final int CONTAINER_MIB = 256;
  private static final int LARGE = 700_000;
  private static final int MEGABYTE = 1_000_000;
  private static final int ENOUGH_FOR_MEGABYTES_MIB = 200;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path directory;

  @Test
  @DisplayName("R48: 256 MB are enough, for many small events and for large ones")
  void theProcessFitsIntoItsContainer() throws Exception {
    KafkaServer.shared().createTopic("memory", 3);
    try (OutboxFixture fixture = new OutboxFixture()) {
      fixture.migrate();
      enqueue(fixture, 20_000, 300);
      enqueue(fixture, 60, LARGE);

      assertThat(peakMibOfDelivery(fixture)).isLessThan(CONTAINER_MIB);
    }
  }

  @Test
  @DisplayName("R48: 200 MB are enough for 300 events of 1 MB in a log")
  void megabytesInALog() throws Exception {
    deliverMegabytes(Layout.log(), i -> Event.builder("megabytes-log").key("key-" + i));
  }

  @Test
  @EnabledIfEnvironmentVariable(named = "POSTCOMMIT_TEST_ALL", matches = "true")
  @DisplayName("R48: 200 MB are enough for 300 events of 1 MB that a held table stores compressed")
  void megabytesInAHeldTable() throws Exception {
    deliverMegabytes(
        Layout.preset("logistik"),
        i -> Event.builder("megabytes-logistik").aggregate("order", new UUID(0, i)));
  }

  @Test
  @EnabledIfEnvironmentVariable(named = "POSTCOMMIT_TEST_ALL", matches = "true")
  @DisplayName(
      "R48: 200 MB are enough for 300 events of 1 MB that a leased table stores compressed")
  void megabytesInALeasedTable() throws Exception {
    deliverMegabytes(
        Layout.preset("modkit"), i -> Event.builder("megabytes-modkit").tenant(new UUID(0, i)));
  }

  private void deliverMegabytes(Layout layout, IntFunction<Event.Builder> event) throws Exception {
    KafkaServer.shared().createTopic("megabytes-" + layout.name(), 3);
    try (OutboxFixture fixture = new OutboxFixture(layout)) {
      fixture.migrate();
      String json = "\"" + "x".repeat(MEGABYTE - 2) + "\"";
      for (int i = 0; i < 300; i++) {
        fixture.enqueue(event.apply(i).json(json));
      }

      assertThat(peakMibOfDelivery(fixture)).isLessThan(ENOUGH_FOR_MEGABYTES_MIB);
    }
  }

  /** Has a process deliver everything, and tells how much memory it took at most. */
  private long peakMibOfDelivery(OutboxFixture fixture) throws Exception {
    Process process = start(fixture);
    try {
      await()
          .atMost(PATIENCE)
          .until(() -> !process.isAlive() || fixture.admin().status().pending() == 0);
      assertThat(process.isAlive()).as(log()).isTrue();
      assertThat(fixture.admin().status().dead()).as(log()).isZero();
      long peak = peakMib(process);
      process.destroy();
      assertThat(process.waitFor()).as(log()).isZero();
      return peak;
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private Process start(OutboxFixture fixture) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(ofContainer("JAVA_OPTS").replace("\"", "").split(" ")));
    command.add("-XX:MaxRAM=" + CONTAINER_MIB + "m");
    command.addAll(List.of("-jar", JAR.toString(), "--http-port", "0", "--max-attempts", "5"));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile());
    Map<String, String> environment = builder.environment();
    environment.putAll(fixture.environment());
    environment.remove("POSTCOMMIT_HTTP_PORT");
    environment.put("POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS", KafkaServer.shared().bootstrapServers());
    for (String variable : List.of("MALLOC_ARENA_MAX", "POSTCOMMIT_BATCH_BYTES")) {
      environment.put(variable, ofContainer(variable));
    }
    return builder.start();
  }

  private static String ofContainer(String variable) throws IOException {
    Matcher line =
        Pattern.compile("(?m)^ENV " + variable + "=(.*)$").matcher(Files.readString(DOCKERFILE));
    assertThat(line.find()).as("%s in the Dockerfile", variable).isTrue();
    return line.group(1);
  }

  private String log() throws IOException {
    return Files.readString(directory.resolve("log"));
  }

  /** The most that was ever resident, as the kernel counts it. */
  private static long peakMib(Process process) throws IOException {
    String status = Files.readString(Path.of("/proc/" + process.pid() + "/status"));
    Matcher peak = Pattern.compile("VmHWM:\\s+(\\d+) kB").matcher(status);
    assertThat(peak.find()).as(status).isTrue();
    return Long.parseLong(peak.group(1)) / 1024;
  }

  private static void enqueue(OutboxFixture fixture, int count, int bytes) throws SQLException {
    Random random = new Random(bytes);
    int atOnce = Math.max(1, Math.min(500, 4 * LARGE / bytes));
    List<Event> events = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      byte[] payload = new byte[bytes];
      random.nextBytes(payload);
      events.add(Event.builder("memory").key("key-" + i % 500).bytes(payload).build());
      if (events.size() == atOnce || i == count) {
        fixture.enqueueAll(events);
        events.clear();
      }
    }
  }
}
