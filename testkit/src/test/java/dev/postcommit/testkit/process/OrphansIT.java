package dev.postcommit.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of servers and processes whose JVM ends without closing them. */
class OrphansIT {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir Path temporary;

  @BeforeEach
  void letOtherUsersIn() throws IOException {
    // Postgres may have to run as another user than these tests.
    Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void nothingOutlivesAJvmThatIsKilled() throws IOException {
    try (Processes processes = Processes.create()) {
      ChildProcess owner = start(processes, "wait");
      Map<String, Long> started = awaitStarted(owner);
      assertThat(Ports.listening(port(started, "postgres"))).isTrue();
      assertThat(Ports.listening(port(started, "kafka"))).isTrue();
      assertThat(Ports.listening(port(started, "redis"))).isTrue();
      assertThat(entries()).hasSize(5);

      owner.kill();

      assertNothingIsLeft(started);
    }
  }

  @Test
  void nothingOutlivesAJvmThatExits() throws IOException {
    try (Processes processes = Processes.create()) {
      ChildProcess owner = start(processes, "exit");

      assertThat(owner.awaitExit(TIMEOUT)).isZero();

      assertNothingIsLeft(awaitStarted(owner));
    }
  }

  private ChildProcess start(Processes processes, String end) {
    return processes
        .java(Owner.class)
        .arguments(end)
        .jvmOptions("-Djava.io.tmpdir=" + temporary)
        .start();
  }

  private void assertNothingIsLeft(Map<String, Long> started) {
    await().atMost(TIMEOUT).until(() -> entries().isEmpty());
    assertThat(Ports.listening(port(started, "postgres"))).isFalse();
    assertThat(Ports.listening(port(started, "kafka"))).isFalse();
    assertThat(Ports.listening(port(started, "redis"))).isFalse();
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(ProcessHandle.of(started.get("child")).filter(ProcessHandle::isAlive))
                    .isEmpty());
  }

  private static Map<String, Long> awaitStarted(ChildProcess owner) {
    await()
        .atMost(TIMEOUT)
        .until(() -> !owner.alive() || owner.output().lines().anyMatch("started"::equals));
    Map<String, Long> started = new TreeMap<>();
    owner
        .output()
        .lines()
        .map(line -> line.split("="))
        .filter(pair -> pair.length == 2)
        .forEach(pair -> started.put(pair[0], Long.parseLong(pair[1])));
    assertThat(started).as(owner.output()).containsOnlyKeys("child", "kafka", "postgres", "redis");
    return started;
  }

  private static int port(Map<String, Long> started, String server) {
    return started.get(server).intValue();
  }

  private List<Path> entries() throws IOException {
    try (Stream<Path> entries = Files.list(temporary)) {
      return entries.toList();
    }
  }

  /** Starts one of each, freezes what can be frozen, and never closes anything. */
  static final class Owner {

    private Owner() {}

    public static void main(String[] args) throws InterruptedException {
      PostgresServer postgres = PostgresServer.shared();
      System.out.println("postgres=" + postgres.port());
      KafkaServer kafka = KafkaServer.shared();
      System.out.println("kafka=" + kafka.bootstrapServers().split(":")[1]);
      RedisServer redis = RedisServer.shared();
      System.out.println("redis=" + redis.port());
      redis.freeze();
      ChildProcess child = Processes.create().start(ProcessesIT.Ticker.class);
      child.freeze();
      System.out.println("child=" + child.pid());
      System.out.println("started");
      if (args[0].equals("wait")) {
        Thread.currentThread().join();
      }
    }
  }
}
