package dev.postcommit.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in the documents is what its figures say. */
class BenchmarksPageTest {
  private static final Path DOCS = Path.of("..", "docs");

  @Test
  void thePageIsWrittenFromTheFiguresBesideIt(@TempDir Path directory) throws IOException {
    Path data = Files.createDirectory(directory.resolve("benchmarks"));
    for (String file : new String[] {"results.csv", "about.properties"}) {
      Files.copy(DOCS.resolve("benchmarks").resolve(file), data.resolve(file));
    }

    Page.write(directory);

    assertThat(DOCS.resolve("benchmarks.md"))
        .as("run ./postcommit bench --out docs --page")
        .hasSameTextualContentAs(directory.resolve("benchmarks.md"));
  }
}
