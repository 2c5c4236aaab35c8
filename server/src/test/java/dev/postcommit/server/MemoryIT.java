package dev.postcommit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.testkit.KafkaServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
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
      Process process = start(fixture);
      try {
        await()
            .atMost(PATIENCE)
            .until(() -> !process.isAlive() || fixture.admin().status().pending() == 0);
        assertThat(process.isAlive()).as(log()).isTrue();
        assertThat(fixture.admin().status().dead()).as(log()).isZero();
        assertThat(peakMib(process)).isLessThan(CONTAINER_MIB);
        process.destroy();
        assertThat(process.waitFor()).as(log()).isZero();
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
  }

  private Process start(OutboxFixture fixture) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(ofContainer("JAVA_OPTS").replace("\"", "").split(" ")));
    command.add("-XX:MaxRAM=" + CONTAINER_MIB + "m");
    command.addAll(List.of("-jar", JAR.toString(), "--http-port", "0"));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile());
    Map<String, String> environment = builder.environment();
    environment.putAll(fixture.environment());
    environment.remove("POSTCOMMIT_HTTP_PORT");
    environment.put("POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS", KafkaServer.shared().bootstrapServers());
    environment.put("MALLOC_ARENA_MAX", ofContainer("MALLOC_ARENA_MAX"));
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
