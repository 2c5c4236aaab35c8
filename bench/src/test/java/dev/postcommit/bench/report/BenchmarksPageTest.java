package dev.postcommit.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page and the charts in the documents are what the figures say. */
class BenchmarksPageTest {
  private static final Path DOCS = Path.of("..", "docs");

  @Test
  void pageAndChartsAreWrittenFromTheFiguresBesideThem(@TempDir Path directory) throws IOException {
    Path data = Files.createDirectory(directory.resolve("benchmarks"));
    for (String file : new String[] {"results.csv", "about.properties"}) {
      Files.copy(DOCS.resolve("benchmarks").resolve(file), data.resolve(file));
    }

    Page.write(directory);

    assertThat(files(DOCS))
        .as("run ./postcommit bench --out docs --page")
        .isEqualTo(files(directory));
  }

  private static Map<String, String> files(Path directory) throws IOException {
    Map<String, String> files = new TreeMap<>();
    files.put("benchmarks.md", Files.readString(directory.resolve("benchmarks.md")));
    try (Stream<Path> data = Files.list(directory.resolve("benchmarks"))) {
      for (Path file : data.toList()) {
        files.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return files;
  }
}
