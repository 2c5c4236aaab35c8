package dev.postcommit.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table in Markdown; columns of numbers are set to the right. */
final class Table {
  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  Table(String... header) {
    this(List.of(header));
  }

  Table(List<String> header) {
    this.header = List.copyOf(header);
  }

  void row(String... cells) {
    row(List.of(cells));
  }

  void row(List<String> cells) {
    if (cells.size() != header.size()) {
      throw new IllegalArgumentException(cells + " does not fit under " + header);
    }
    rows.add(List.copyOf(cells));
  }

  int size() {
    return rows.size();
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Text that means itself in a cell. */
  static String escaped(String text) {
    return text.replace("\\", "\\\\")
        .replace("|", "\\|")
        .replace("*", "\\*")
        .replace("`", "\\`")
        .replace("<", "&lt;")
        .replaceAll("\\R", " ");
  }

  private boolean isNumeric(int column) {
    return rows.stream().allMatch(row -> row.get(column).matches("-|-?\\d[\\d.,×–\\- ]*"));
  }

  private static String line(List<String> cells) {
    return cells.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(line(header)).append('|');
    IntStream.range(0, header.size())
        .forEach(column -> text.append(isNumeric(column) ? "---:|" : "---|"));
    text.append('\n');
    rows.forEach(row -> text.append(line(row)));
    return text.toString();
  }
}
