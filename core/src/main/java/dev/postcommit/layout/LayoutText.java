package dev.postcommit.layout;

import java.io.IOException;
import java.io.StringReader;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The keys and values of a layout file, each with its line for messages. */
final class LayoutText {

  private record Entry(String value, int line) {}

  private final Map<String, Entry> entries = new TreeMap<>();

  /**
   * Reads Java properties.
   *
   * @throws IllegalArgumentException if a key is there twice, or the text is not in that format
   */
  LayoutText(String text) throws IOException {
    List<String> lines = text.lines().toList();
    int first = 0;
    while (first < lines.size()) {
      int end = first + 1;
      while (end < lines.size() && goesOn(lines.get(end - 1), end - 1 == first)) {
        end++;
      }
      add(String.join("\n", lines.subList(first, end)), first + 1);
      first = end;
    }
  }

  /** Whether the next line belongs to this one: it ends in an odd number of backslashes. */
  private static boolean goesOn(String line, boolean mayBeComment) {
    if (mayBeComment && line.stripLeading().matches("[#!].*")) {
      return false;
    }
    return (line.length() - line.replaceFirst("\\\\+$", "").length()) % 2 == 1;
  }

  private void add(String text, int line) throws IOException {
    Properties one = new Properties();
    try {
      one.load(new StringReader(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("line " + line + ": " + e.getMessage(), e);
    }
    for (String key : one.stringPropertyNames()) {
      if (entries.put(key, new Entry(one.getProperty(key), line)) != null) {
        throw mistake(key, key + " is there twice; leave one");
      }
    }
  }

  Collection<String> keys() {
    return entries.keySet();
  }

  boolean has(String key) {
    return entries.containsKey(key);
  }

  /** The value of a key that must be there. */
  String required(String key) {
    @Nullable Entry entry = entries.get(key);
    if (entry == null || entry.value().isBlank()) {
      throw mistake(key, "there is no " + key + "; add a line " + key + " = …");
    }
    return entry.value().strip();
  }

  /** The value of a key, or {@code otherwise} if it is not there. */
  <T> T value(String key, Function<String, T> reader, T otherwise) {
    @Nullable Entry entry = entries.get(key);
    if (entry == null) {
      return otherwise;
    }
    try {
      return reader.apply(entry.value().strip());
    } catch (IllegalArgumentException e) {
      throw mistake(key, "%s: '%s' %s".formatted(key, entry.value(), e.getMessage()));
    }
  }

  IllegalArgumentException mistake(String key, String text) {
    return new IllegalArgumentException(place(key) + text);
  }

  /** The line that a key is in, to begin a message with; empty if it is not there. */
  String place(String key) {
    @Nullable Entry entry = entries.get(key);
    return entry == null ? "" : "line " + entry.line() + ": ";
  }
}
