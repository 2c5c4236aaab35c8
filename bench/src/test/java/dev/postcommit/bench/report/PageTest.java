package dev.postcommit.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page says what the figures say; those here are made up. */
class PageTest {
  private static final Path SYNTHETIC = Path.of("src/test/resources/synthetic/benchmarks");

  @TempDir Path directory;
  private Path data;
  private Path csv;

  @BeforeEach
  void copyFigures() throws IOException {
    data = Files.createDirectories(directory.resolve("benchmarks"));
    csv = data.resolve("results.csv");
    for (String file : List.of("results.csv", "about.properties")) {
      Files.copy(SYNTHETIC.resolve(file), data.resolve(file));
    }
  }

  private String page() throws IOException {
    Page.write(directory);
    return Files.readString(directory.resolve("benchmarks.md"));
  }

  private String chart(String file) throws IOException {
    Page.write(directory);
    return Files.readString(data.resolve(file));
  }

  @Test
  void theTableHasTenRowsOfMediansAndTheBestIsBold() throws IOException {
    assertThat(page())
        .contains("|  | Postcommit native | Postcommit log | Log reader | Peer one | two |")
        .contains(
            "| backlog delivered, events/s | 10,000 | **20,000** | 5,000 | 2,500 | 1,000\\* |")
        .contains("| added to a transaction, µs | 110 | 120 | – | **105** | – |")
        .contains("| CPU per event of a backlog, µs | **20** | – | – | 40 | 160\\* |");
    assertThat(page().lines().filter(line -> line.startsWith("| "))).hasSize(1 + 10);
  }

  @Test
  void aLatencyIsMarkedWhenWritersOrEventsFellBehind() throws IOException {
    assertThat(page())
        .contains("| p99 latency at 1,000 events/s, ms | 20 | 10.0 | – | **10** | 2,000† |");
  }

  @Test
  void markedFiguresAreNeverTheBest() throws IOException {
    Files.write(
        csv,
        Files.readAllLines(csv).stream()
            .map(row -> row.replaceAll("(steady,1000,two,.,p99_ms),.*", "$1,1"))
            .toList());
    assertThat(page()).contains("ms | 20 | 10.0 | – | **10** | 1† |");
  }

  @Test
  void theLedgerIsTheSumOfAllScenarios() throws IOException {
    assertThat(page())
        .contains("| events out of order, in all scenarios | 0 | – | 0 | 1,234 | 0 |")
        .contains("- Peer one: 7 repeated\n")
        .contains("- two: 17 given up, 3 lost, 5 delivered although rolled back\n");
  }

  @Test
  void aCleanLedgerIsSaidInOneSentence() throws IOException {
    Files.write(
        csv,
        Files.readAllLines(csv).stream().filter(row -> !row.matches(".*,(one|two),.*")).toList());
    assertThat(page()).contains("None was lost, repeated or given up").doesNotContain("It found");
  }

  @Test
  void conditionsAreSaid() throws IOException {
    assertThat(page())
        .contains(
            "This was a quick run, too short to quote. Measured on 1 November 2026, on 2 cores")
        .contains("throughput and low latency: Log reader 3.0, Peer one 1.0, two 2.0.")
        .contains("stopped after 8 s")
        .doesNotContain("${");
  }

  @Test
  void whatCouldNotBeMeasuredIsListedWithItsReason() throws IOException {
    assertThat(page()).doesNotContain("## Not measured");

    Files.writeString(csv, "start,,three,,failed,\"a *b*, c\"\n", StandardOpenOption.APPEND);
    Files.writeString(csv, "steady,,,,failed,no Kafka\n", StandardOpenOption.APPEND);

    assertThat(page())
        .contains(
            "\n## Not measured\n\n- start, three: a \\*b\\*, c\n- steady: no Kafka\n\n## How");
  }

  @Test
  void barsAreLongestForTheMostAndListedBestFirst() throws IOException {
    String chart = chart("drain-light.svg");
    assertThat(chart)
        .containsSubsequence("Postcommit log", "Postcommit native", "Log reader", "one", "two")
        .contains(
            "<rect x=\"210\" y=\"70\" width=\"440\"", "<rect x=\"210\" y=\"100\" width=\"220\"")
        .contains(">10,000<tspan class=\"s\" dx=\"8\">9,000 – 12,000</tspan>")
        .contains(">1,000*<", "* Stopped with events left.");
    assertThat(chart("added-light.svg"))
        .containsSubsequence("Peer one", "Postcommit native", "Postcommit log")
        .doesNotContain("Stopped");
  }

  @Test
  void peersThatReorderedEventsArePale() throws IOException {
    String chart = chart("drain-dark.svg");
    assertThat(count(chart, "fill=\"#4493f8\"")).as("the legend and ours").isEqualTo(1 + 2);
    assertThat(count(chart, "fill=\"#d29922\"")).as("the legend, two in order").isEqualTo(1 + 2);
    assertThat(count(chart, "fill=\"#4a3814\"")).as("the legend, one not").isEqualTo(1 + 1);
  }

  private static long count(String text, String part) {
    return Pattern.compile(Pattern.quote(part)).matcher(text).results().count();
  }

  @Test
  void everyChartOfThePageIsThere() throws IOException {
    List<String> named =
        Pattern.compile("benchmarks/([\\w-]+\\.svg)")
            .matcher(page())
            .results()
            .map(link -> link.group(1))
            .toList();
    assertThat(named).hasSize(8).allSatisfy(file -> assertThat(data.resolve(file)).exists());
  }

  @Test
  void aContenderOfWhichNothingIsKnownIsRefused() throws IOException {
    Map<String, String> about = new HashMap<>(About.read(data.resolve("about.properties")));
    about.remove("contender.one.kind");
    About.write(data.resolve("about.properties"), about);

    assertThatNullPointerException()
        .isThrownBy(() -> Page.write(directory))
        .withMessage("contender.one.kind");
  }
}
