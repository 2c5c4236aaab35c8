package dev.postcommit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R49: the page of metrics lists the metrics there are. */
class MetricsPageTest {
  private static final Pattern ROW =
      Pattern.compile("\\| `((?:out|in)box_\\w+)` \\| (\\w+) \\|([^|]*)\\| [^|]+ \\|");
  private static final Pattern SNIPPET =
      Pattern.compile("<!-- snippet: metrics -->\\n```java\\n(.*?)}\\n```", Pattern.DOTALL);
  private static final Pattern LABEL = Pattern.compile("`(\\w+)`");

  private final Scraped scraped = Everything.scraped();

  @Test
  @DisplayName("R49: names, types and labels on the page are those of a scrape")
  void thePageListsWhatThereIs() throws IOException {
    check("outbox", Set.of("layout", "table"), scraped.ours());
  }

  @Test
  void thePageListsTheMetricsOfConsumers() throws IOException {
    check("inbox", Set.of("consumer"), scraped.ofConsumers());
  }

  private void check(String prefix, Set<String> common, Map<String, String> actual)
      throws IOException {
    Map<String, String> types = new HashMap<>();
    Map<String, Set<String>> labels = new HashMap<>();
    for (String line : Files.readAllLines(Ops.ROOT.resolve("docs/metrics.md"))) {
      if (line.startsWith("| `" + prefix + "_")) {
        Matcher row = ROW.matcher(line);
        assertThat(row.matches()).as(line).isTrue();
        assertThat(types.put(row.group(1), row.group(2))).as(line).isNull();
        Set<String> named = new TreeSet<>(common);
        LABEL.matcher(row.group(3)).results().forEach(label -> named.add(label.group(1)));
        labels.put(row.group(1), named);
      }
    }

    assertThat(types).containsExactlyInAnyOrderEntriesOf(actual);
    labels.forEach((metric, named) -> assertThat(labelsOf(metric)).as(metric).isEqualTo(named));
  }

  @Test
  void theCodeOnThePageIsTheCodeThatIsTested() throws IOException {
    Matcher snippet = SNIPPET.matcher(Files.readString(Ops.ROOT.resolve("docs/metrics.md")));
    String tested =
        Files.readString(Path.of("src/test/java/dev/postcommit/micrometer/MetricsPageIT.java"));

    assertThat(snippet.find()).isTrue();
    assertThat(stripped(tested)).contains(stripped(snippet.group(1)));
  }

  private static String stripped(String code) {
    return code.replaceAll("\\s+", "");
  }

  private Set<String> labelsOf(String metric) {
    Set<String> labels = new TreeSet<>();
    for (String suffix : new String[] {"", "_bucket", "_count", "_sum"}) {
      scraped.all(metric + suffix).forEach(sample -> labels.addAll(sample.labels().keySet()));
    }
    labels.remove("le");
    return labels;
  }
}
