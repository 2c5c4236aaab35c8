package dev.postcommit.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessesIT {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @Test
  void aChildRunsOnThisClassPathWithItsOptionsAndEnvironment() {
    try (Processes processes = Processes.create()) {
      ChildProcess child =
          processes
              .java(Echo.class)
              .arguments("one two", "three")
              .jvmOptions("-Dgreeting=hello")
              .environment("WHO", "world")
              .start();

      assertThat(child.awaitExit(TIMEOUT)).isEqualTo(7);
      assertThat(child.output()).isEqualToIgnoringNewLines("hello world: [one two, three]");
      assertThat(child.alive()).isFalse();
    }
  }

  @Test
  void aChildDoesWithoutWhatIsLeftOutOfItsClassPath() {
    try (Processes processes = Processes.create()) {
      ChildProcess child = processes.java(Echo.class).without(Echo.class).start();

      assertThat(child.awaitExit(TIMEOUT)).isEqualTo(1);
      assertThat(child.output()).contains("ClassNotFoundException: " + Echo.class.getName());
      assertThatThrownBy(() -> processes.java(Echo.class).without(String.class))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("java.lang.String");
    }
  }

  @Test
  void aProgramRunsInItsDirectoryWithItsEnvironmentAndCanBeKilled(@TempDir Path directory) {
    try (Processes processes = Processes.create()) {
      ChildProcess child =
          processes.start(
              directory,
              Map.of("WHO", "world"),
              "sh",
              "-c",
              "pwd; echo hello $WHO \"$1\"; exec sleep 600",
              "sh",
              "one two");
      await()
          .untilAsserted(
              () ->
                  assertThat(child.output())
                      .contains(directory.getFileName().toString())
                      .contains("hello world one two"));

      child.kill();

      assertThat(child.awaitExit(TIMEOUT)).isEqualTo(128 + 9);
    }
  }

  @Test
  void aProgramThatIsNotThereSaysSo(@TempDir Path directory) {
    try (Processes processes = Processes.create()) {
      ChildProcess child = processes.start(directory, Map.of(), "no-such-program");

      assertThat(child.awaitExit(TIMEOUT)).isEqualTo(127);
      assertThat(child.output()).contains("no-such-program");
    }
  }

  @Test
  void aKilledChildIsGone() {
    try (Processes processes = Processes.create()) {
      ChildProcess child = processes.start(Ticker.class);
      awaitTicks(child, 1);

      child.kill();

      assertThat(child.alive()).isFalse();
      assertThat(child.awaitExit(TIMEOUT)).isEqualTo(128 + 9);
    }
  }

  @Test
  void aTerminatedChildRunsItsShutdownHooks() {
    try (Processes processes = Processes.create()) {
      ChildProcess child = processes.start(Ticker.class);
      awaitTicks(child, 1);

      child.terminate();

      assertThat(child.awaitExit(TIMEOUT)).isEqualTo(128 + 15);
      assertThat(child.output()).contains("bye");
    }
  }

  @Test
  void aFrozenChildStandsStillUntilItIsThawed() throws IOException {
    try (Processes processes = Processes.create()) {
      ChildProcess child = processes.start(Ticker.class);
      awaitTicks(child, 3);

      child.freeze();
      await().atMost(TIMEOUT).until(() -> state(child).equals("T"));
      long written = Files.size(child.outputFile());
      await().during(Duration.ofMillis(300)).until(() -> Files.size(child.outputFile()) == written);
      assertThat(child.alive()).isTrue();
      assertThatThrownBy(() -> child.awaitExit(Duration.ofMillis(1)))
          .isInstanceOf(IllegalStateException.class);

      child.thaw();
      await().atMost(TIMEOUT).until(() -> Files.size(child.outputFile()) > written);
    }
  }

  @Test
  void closingEndsWhatStillRunsEvenIfFrozen() {
    Processes processes = Processes.create();
    ChildProcess running = processes.start(Ticker.class);
    ChildProcess frozen = processes.start(Ticker.class);
    awaitTicks(frozen, 1);
    frozen.freeze();
    ChildProcess frozenAtOnce = processes.start(Ticker.class);
    frozenAtOnce.freeze();

    processes.close();

    assertThat(running.alive()).isFalse();
    assertThat(frozen.alive()).isFalse();
    assertThat(frozenAtOnce.alive()).isFalse();
    assertThat(running.outputFile().getParent()).doesNotExist();
  }

  private static void awaitTicks(ChildProcess child, int ticks) {
    await().atMost(TIMEOUT).until(() -> child.output().lines().count() >= ticks);
  }

  /** The state as ps shows it: T is stopped. */
  private static String state(ChildProcess child) throws IOException {
    Process ps = new ProcessBuilder("ps", "-o", "state=", "-p", Long.toString(child.pid())).start();
    return new String(ps.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  static final class Echo {

    private Echo() {}

    public static void main(String[] args) {
      System.out.println(
          System.getProperty("greeting") + " " + System.getenv("WHO") + ": " + List.of(args));
      System.exit(7);
    }
  }

  static final class Ticker {

    private Ticker() {}

    public static void main(String[] args) throws InterruptedException {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("bye")));
      while (true) {
        System.out.println("tick");
        Thread.sleep(20);
      }
    }
  }
}
