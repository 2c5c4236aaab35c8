package dev.postcommit.bench.report;

import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * What a run was made with: machine, servers, contenders and their settings, as a file of
 * properties that differs between two runs only where they differ.
 */
public final class About {
  private About() {}

  /** Writes {@code about} to {@code file}, sorted. */
  public static void write(Path file, Map<String, String> about) throws IOException {
    Properties properties = new Properties();
    properties.putAll(about);
    StringWriter text = new StringWriter();
    properties.store(text, null);
    // Each property is one line; the comment is the time.
    List<String> lines =
        text.toString().lines().filter(line -> !line.startsWith("#")).sorted().toList();
    Files.write(file, lines);
  }

  /** What is written in {@code file}, sorted by name. */
  public static Map<String, String> read(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    Map<String, String> about = new TreeMap<>();
    properties.stringPropertyNames().forEach(name -> about.put(name, properties.getProperty(name)));
    return about;
  }
}
