package dev.postcommit.micrometer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an expression for Prometheus speaks of.
 *
 * @param metrics each metric with the labels it is selected by
 * @param labels the labels that results are grouped by
 * @param functions the functions and aggregations that are called
 */
record PromExpression(Map<String, Set<String>> metrics, Set<String> labels, Set<String> functions) {

  private static final Set<String> GROUPINGS = Set.of("by", "without", "on", "ignoring");
  private static final Set<String> SET_OPERATORS = Set.of("and", "or", "unless");

  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s+|(?<text>\"(?:[^\"\\\\]|\\\\.)*\")|(?<range>\\[[^\\[\\]]*])"
              + "|(?<number>\\d+(?:\\.\\d+)?)|(?<word>[a-zA-Z_:][a-zA-Z0-9_:]*)"
              + "|(?<sign>=~|!~|!=|==|>=|<=|[-+*/%^<>=,(){}])");
  private static final Pattern RANGE = Pattern.compile("\\[(\\d+[smhd]|\\$__rate_interval)]");

  /** Reads an expression, and refuses one that is not balanced or has unknown characters. */
  static PromExpression of(String text) {
    return new Reader(tokens(text), text).read();
  }

  private static List<String> tokens(String text) {
    List<String> tokens = new ArrayList<>();
    Matcher token = TOKEN.matcher(text);
    int end = 0;
    while (token.find() && token.start() == end) {
      end = token.end();
      if (token.group("range") != null && !RANGE.matcher(token.group("range")).matches()) {
        throw new IllegalArgumentException(token.group("range") + " is no range in: " + text);
      }
      if (!token.group().isBlank()) {
        tokens.add(token.group());
      }
    }
    if (end != text.length()) {
      throw new IllegalArgumentException("not read beyond character " + end + ": " + text);
    }
    return tokens;
  }

  /** Goes through the tokens once. */
  private static final class Reader {
    private final List<String> tokens;
    private final String text;
    private final Deque<String> open = new ArrayDeque<>();
    private final Map<String, Set<String>> metrics = new TreeMap<>();
    private final Set<String> labels = new TreeSet<>();
    private final Set<String> functions = new TreeSet<>();
    private Set<String> selecting = new TreeSet<>();

    Reader(List<String> tokens, String text) {
      this.tokens = tokens;
      this.text = text;
    }

    PromExpression read() {
      for (int i = 0; i < tokens.size(); i++) {
        String token = tokens.get(i);
        switch (token) {
          case "(" -> open.push(i > 0 && GROUPINGS.contains(tokens.get(i - 1)) ? "labels" : "(");
          case "{" -> open.push("{");
          case ")" -> close(Set.of("(", "labels"));
          case "}" -> close(Set.of("{"));
          default -> {
            if (Character.isLetter(token.charAt(0)) || token.charAt(0) == '_') {
              word(token, i + 1 < tokens.size() ? tokens.get(i + 1) : "");
            }
          }
        }
      }
      if (!open.isEmpty()) {
        throw new IllegalArgumentException("something is left open: " + text);
      }
      return new PromExpression(metrics, labels, functions);
    }

    private void close(Set<String> expected) {
      if (open.isEmpty() || !expected.contains(open.pop())) {
        throw new IllegalArgumentException("something is closed that is not open: " + text);
      }
    }

    private void word(String word, String next) {
      if ("{".equals(open.peek())) {
        selecting.add(word);
      } else if ("labels".equals(open.peek())) {
        labels.add(word);
      } else if (GROUPINGS.contains(word) || SET_OPERATORS.contains(word)) {
        return;
      } else if (next.equals("(") || GROUPINGS.contains(next)) {
        functions.add(word);
      } else {
        selecting = metrics.computeIfAbsent(word, name -> new TreeSet<>());
      }
    }
  }
}
