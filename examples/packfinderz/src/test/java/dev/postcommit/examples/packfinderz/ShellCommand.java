package dev.postcommit.examples.packfinderz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.pubsub.PubSubConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A publisher that a shell starts, by the command of a Makefile or a Procfile. */
final class ShellCommand implements AutoCloseable {
  private final Process process;
  private final Path output;

  /** Runs {@code command} in a directory, with no settings but those of {@code environment}. */
  ShellCommand(String command, Path directory, Map<String, String> environment) throws IOException {
    output = Files.createTempFile("shell-command", ".log");
    ProcessBuilder shell =
        new ProcessBuilder("sh", "-c", command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    Map<String, String> variables = shell.environment();
    variables.keySet().removeIf(name -> name.matches("(POSTCOMMIT|PACKFINDERZ)_.*"));
    variables.remove(PubSubConnection.EMULATOR_HOST);
    String java = System.getProperty("java.home");
    variables.put("JAVA_HOME", java);
    variables.merge("PATH", java + "/bin", (path, first) -> first + ":" + path);
    // Quick to start rather than quick in the long run
    variables.put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    variables.putAll(environment);
    process = shell.start();
  }

  /** The recipe of a target. */
  static String recipe(Path makefile, String target) throws IOException {
    Matcher recipe =
        Pattern.compile("(?m)^" + target + ":.*\\n((?:\\t.*\\n)+)")
            .matcher(Files.readString(makefile));
    assertThat(recipe.find()).as("%s in %s", target, makefile).isTrue();
    return recipe.group(1).replace("\t", "").strip();
  }

  String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until the publisher works. */
  void awaitStart() {
    await()
        .atMost(Stage.PATIENCE)
        .until(() -> !process.isAlive() || output().contains(" starts on outbox_events"));
    assertThat(process.isAlive()).as(output()).isTrue();
  }

  /** What it printed as {@code NAME=value}. */
  String printed(String name) {
    Matcher matcher = Pattern.compile("(?m)^  " + name + "=(.+)$").matcher(output());
    assertThat(matcher.find()).as("%s in %s", name, output()).isTrue();
    return matcher.group(1);
  }

  /** Asks the publisher to end, by SIGTERM, and returns the shell's exit code. */
  int terminate() throws InterruptedException {
    assertThat(publisher().destroy()).isTrue();
    assertThat(process.waitFor(Stage.PATIENCE.toSeconds(), TimeUnit.SECONDS)).as(output()).isTrue();
    return process.exitValue();
  }

  /** The shell itself, if it has become the publisher, or else the publisher it has started. */
  private ProcessHandle publisher() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .filter(handle -> handle.info().command().orElse("").endsWith("/java"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no publisher: " + output()));
  }

  @Override
  public void close() throws IOException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.onExit().join();
    Files.deleteIfExists(output);
  }
}
