package dev.postcommit.micrometer;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Prometheus would read of a registry.
 *
 * @param types each metric with its type
 * @param samples each line of figures
 */
record Scraped(Map<String, String> types, List<Sample> samples) {
  private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\",?");

  /** One line of figures. */
  record Sample(String name, Map<String, String> labels, double value) {
    boolean has(String... wanted) {
      for (int i = 0; i < wanted.length; i += 2) {
        if (!wanted[i + 1].equals(labels.get(wanted[i]))) {
          return false;
        }
      }
      return true;
    }
  }

  static Scraped of(PrometheusMeterRegistry registry) {
    return of(new PrometheusScrape(registry).text());
  }

  static Scraped of(String text) {
    Map<String, String> types = new TreeMap<>();
    List<Sample> samples = new ArrayList<>();
    for (String line : text.lines().toList()) {
      Matcher type = TYPE.matcher(line);
      Matcher sample = SAMPLE.matcher(line);
      if (type.matches()) {
        types.put(type.group(1), type.group(2));
      } else if (sample.matches()) {
        samples.add(new Sample(sample.group(1), labels(sample.group(2)), number(sample.group(3))));
      } else if (!line.startsWith("# HELP ")) {
        throw new AssertionError("not a line of the text format: " + line);
      }
    }
    return new Scraped(types, samples);
  }

  private static Map<String, String> labels(String text) {
    Map<String, String> labels = new LinkedHashMap<>();
    if (text != null) {
      Matcher label = LABEL.matcher(text);
      int end = 0;
      while (label.find() && label.start() == end) {
        labels.put(label.group(1), label.group(2));
        end = label.end();
      }
      if (end != text.length()) {
        throw new AssertionError("not labels: " + text);
      }
    }
    return labels;
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  /** The sum over all samples of a name that have these labels, of which there must be one. */
  double sum(String name, String... labels) {
    List<Sample> found = all(name, labels);
    if (found.isEmpty()) {
      throw new AssertionError("no " + name + " with " + List.of(labels) + " among " + all(name));
    }
    return found.stream().mapToDouble(Sample::value).sum();
  }

  /** All samples of a name that have these labels. */
  List<Sample> all(String name, String... labels) {
    return samples.stream().filter(s -> s.name().equals(name) && s.has(labels)).toList();
  }

  /** The metrics of relays and tables with their types. */
  Map<String, String> ours() {
    return ofPrefix("outbox_");
  }

  /** The metrics of consumers with their types. */
  Map<String, String> ofConsumers() {
    return ofPrefix("inbox_");
  }

  private Map<String, String> ofPrefix(String prefix) {
    Map<String, String> found = new TreeMap<>(types);
    found.keySet().removeIf(name -> !name.startsWith(prefix));
    return found;
  }
}
