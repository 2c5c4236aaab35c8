package dev.postcommit.demo.explore;

import dev.postcommit.server.table.Failure;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;

/** A file with the number of schedules played of each scenario, from which a search continues. */
final class SearchState {
  private static final String SEED = "seed";

  private final Path file;
  private final Properties played;

  private SearchState(Path file, Properties played) {
    this.file = file;
    this.played = played;
  }

  static SearchState read(Path file, long seed) {
    Properties played = new Properties();
    if (Files.exists(file)) {
      try (Reader reader = Files.newBufferedReader(file)) {
        played.load(reader);
      } catch (IOException | IllegalArgumentException e) {
        throw new Failure("cannot read " + file + ": " + e.getMessage(), e);
      }
      if (!Long.toString(seed).equals(played.getProperty(SEED))) {
        throw new Failure(
            "%s is of a search with seed %s, not %d; give that seed or another file"
                .formatted(file, played.getProperty(SEED), seed),
            null);
      }
    }
    played.setProperty(SEED, Long.toString(seed));
    return new SearchState(file, played);
  }

  Path file() {
    return file;
  }

  synchronized long played(String scenario) {
    return Long.parseLong(played.getProperty(scenario, "0"));
  }

  /** Replaces the file atomically. */
  synchronized void add(String scenario, long schedules) {
    played.setProperty(scenario, Long.toString(played(scenario) + schedules));
    try {
      Path directory = file.toAbsolutePath().getParent();
      Files.createDirectories(directory);
      Path next = Files.createTempFile(directory, "explore", ".tmp");
      try (Writer writer = Files.newBufferedWriter(next)) {
        played.store(writer, null);
      }
      Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new Failure("cannot write " + file + ": " + e.getMessage(), e);
    }
  }
}
