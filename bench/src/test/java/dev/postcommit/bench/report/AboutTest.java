package dev.postcommit.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AboutTest {
  @TempDir Path directory;

  @Test
  void whatIsWrittenIsRead() throws IOException {
    Path file = directory.resolve("about.properties");
    Map<String, String> about =
        Map.of("run.command", "a = b: #c\nd", "machine.cpu", "µ – \\ \"x\"", "#odd key", "");

    About.write(file, about);

    assertThat(About.read(file)).isEqualTo(about);
  }

  @Test
  void linesAreSortedAndNothingElseIsThere() throws IOException {
    Path file = directory.resolve("about.properties");

    About.write(file, Map.of("run.rounds", "3", "kafka.version", "4.3.1", "machine.cores", "2"));

    assertThat(file).hasContent("kafka.version=4.3.1\nmachine.cores=2\nrun.rounds=3\n");
  }
}
