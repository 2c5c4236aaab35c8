package dev.postcommit.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runnable jar as the build makes it. */
@DisplayName("R48: outbox-publisher.jar")
class OutboxPublisherIT {
  private static final Path JAR = Path.of("target", "outbox-publisher.jar").toAbsolutePath();
  private static final String LIBRARIES = "BOOT-INF/lib/";

  @TempDir private Path directory;

  private record Ended(int exitCode, String output) {}

  /** Runs the jar without settings, in an empty directory. */
  private Ended run(String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-jar", JAR.toString()));
    command.addAll(List.of(args));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("POSTCOMMIT_"));
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output.strip());
  }

  @Test
  void withoutACommandItIsARelay() throws IOException, InterruptedException {
    Ended relay = run();
    assertThat(relay.output()).startsWith("postcommit relay: database-url is not set");
    assertThat(relay.exitCode()).isEqualTo(2);

    Ended commands = run("--help");
    assertThat(commands.output()).startsWith("Usage: postcommit <command>").contains("relay");
    assertThat(commands.exitCode()).isZero();

    Ended options = run("relay", "--help");
    assertThat(options.output()).startsWith("Usage: postcommit relay").contains("--lease=<time>");
    assertThat(options.exitCode()).isZero();
  }

  @Test
  void withACommandItIsThatCommand() throws IOException, InterruptedException {
    Ended list = run("dead", "list");
    assertThat(list.output()).startsWith("postcommit dead list: database-url is not set");
    assertThat(list.exitCode()).isEqualTo(2);
  }

  private static List<String> libraries(JarFile jar) {
    return jar.stream()
        .map(ZipEntry::getName)
        .filter(name -> name.startsWith(LIBRARIES) && name.endsWith(".jar"))
        .map(name -> name.substring(LIBRARIES.length()))
        .toList();
  }

  @Test
  void theLicencesOfAllItsLibrariesAreListed() throws IOException {
    Set<String> listed =
        Pattern.compile("(?m)^\\| [^:|]+:(\\S+) \\| (\\S+) \\|")
            .matcher(Files.readString(Path.of("..", "docs", "licences.md")))
            .results()
            .map(row -> row.group(1) + "-" + row.group(2) + ".jar")
            .collect(Collectors.toSet());
    try (JarFile jar = new JarFile(JAR.toFile())) {
      assertThat(libraries(jar))
          .filteredOn(name -> !name.startsWith("postcommit-"))
          .filteredOn(name -> !name.startsWith("spring-boot-jarmode-tools-"))
          .as("run dev/update-licences")
          .isSubsetOf(listed);
    }
  }

  @Test
  void itHoldsTheProcessAndNothingThatOnlyTestsAndTheDemoNeed() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      assertThat(libraries(jar))
          .anyMatch(name -> name.startsWith("postcommit-kafka-"))
          .anyMatch(name -> name.startsWith("postcommit-pubsub-"))
          .noneMatch(name -> name.startsWith("postcommit-testkit-"))
          .noneMatch(name -> name.startsWith("postcommit-demo-"))
          .noneMatch(name -> name.startsWith("kafka_"))
          .noneMatch(name -> name.startsWith("embedded-"))
          .noneMatch(name -> name.startsWith("junit-") || name.startsWith("assertj-"));
      assertThat(jar.getEntry("BOOT-INF/layers.idx")).isNotNull();
    }
    assertThat(Files.size(JAR)).isLessThan(120L * 1024 * 1024);
  }
}
