package dev.postcommit.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page says what the figures say; those here are made up. */
class PageTest {
  private static final Path SYNTHETIC = Path.of("src/test/resources/synthetic/benchmarks");

  @TempDir static Path directory;
  private static String page;

  @BeforeAll
  static void write() throws IOException {
    copyTo(directory);
    Page.write(directory);
    page = Files.readString(directory.resolve("benchmarks.md"));
  }

  private static void copyTo(Path directory) throws IOException {
    Path target = Files.createDirectories(directory.resolve("benchmarks"));
    for (String file : List.of("results.csv", "about.properties")) {
      Files.copy(SYNTHETIC.resolve(file), target.resolve(file));
    }
  }

  /** The part of the page under a heading. */
  private static String section(String heading) {
    int start = page.indexOf("\n## " + heading + "\n");
    assertThat(start).as(heading).isNotNegative();
    int end = page.indexOf("\n## ", start + 1);
    return page.substring(start, end < 0 ? page.length() : end);
  }

  @Test
  void theAnswerShowsBothLayoutsTheBestPollingPeerAndWhoIsAhead() {
    assertThat(section("The answer"))
        .contains(
            "events/s | 10,000 | 20,000 | 2,500, Peer \\| one (reorders 1,234, repeats 7)"
                + " | native, 4× | log, 8× | 1,000, two (loses 3, delivers 5 rolled-back events,"
                + " stopped after the time limit with 100,000 left) | log, 20× |")
        .contains("| at 200 events/s, p99 from commit to consumer, ms | 5 | - | 10, Peer \\| one |")
        .contains("| 20 | 10.0 | 10, Peer \\| one | **peer, 2×** | neither | 2,000, two (did not")
        .contains("| added to a transaction, 1 writer, µs | 110 | 120 | 105, Peer \\| one |")
        .contains("CPU of all parts per event of a drain, µs | 20 | - | 40, Peer \\| one")
        .contains("WAL per event of a drain, bytes | 900 | 2,000 | 1,800, Peer \\| one")
        .contains("commits per event at 1,000 events/s | 2 | - | 3, Peer \\| one")
        .contains("| dead row versions left per event of a drain | 1 | 0.001 | 2, Peer \\| one")
        .contains("highest rate held, events/s | 6,000 | - | - | - | - | - | - |")
        .doesNotContain("Log reader");
  }

  @Test
  void whereAPeerIsAheadIsListedByWhomItIsAheadOf() {
    String[] parts = section("Where a peer is ahead").split("<details>");
    assertThat(parts).hasSize(4);
    assertThat(parts[0])
        .contains("| steady 1,000 | p50, ms | Peer \\| one | 2 | 4 | 3 | 1.50× | clean |")
        .doesNotContain("enqueue", "drain", "p99, ms");
    assertThat(parts[1])
        .contains("rounds overlap (1)")
        .contains("| enqueue 1 | added, µs | Peer \\| one | 105 | 110 | 120 | 1.05× | - |");
    assertThat(parts[2])
        .contains("Ahead of native, but not of log (1)")
        .contains("| steady 1,000 | p99, ms | Peer \\| one | 10 | 20 | 10.0 | 2× | clean |");
    assertThat(parts[3])
        .contains("Ahead of log, but not of native (1)")
        .contains("| drain | WAL, bytes | Peer \\| one | 1,800 | 900 | 2,000 | 1.11× |");
  }

  @Test
  void aRunWithoutTheLogLayoutHasDashesInItsPlace(@TempDir Path other) throws IOException {
    copyTo(other);
    Path csv = other.resolve("benchmarks/results.csv");
    Files.write(
        csv, Files.readAllLines(csv).stream().filter(row -> !row.contains("-log,")).toList());

    Page.write(other);

    assertThat(other.resolve("benchmarks.md"))
        .content()
        .contains("| 20 | - | 10, Peer \\| one | **peer, 2×** | - | 2,000, two (did not")
        .contains("| steady 1,000 | p99, ms | Peer \\| one | 10 | 20 | - | 2× | clean |")
        .doesNotContain("Ahead of native, but", "Ahead of log");
  }

  @Test
  void ratiosAreToTheMedianOfNative() {
    assertThat(section("Draining a backlog"))
        .contains("| **Postcommit native** | 10,000 | 9,000 – 12,000 | 1× | clean |")
        .contains("| Log reader | 5,000 | 5,000 – 5,000 | 0.500× | clean |")
        .contains("| Bare producer | 50,000 | 50,000 – 50,000 | 5× | - |");
    assertThat(section("Hot and skewed keys"))
        .contains("| **Postcommit native** | hot | 1 | 4,000 | 4,000 – 4,000 | 1× | 0.500× | - |");
    assertThat(section("What an event costs"))
        .contains("| two | 160 | 160 – 160 | 8× | 80 | 48 | 32 | - | 7,200 |");
  }

  @Test
  void aVariantIsComparedWithTheContendersOwnFirstRoundByRound() {
    assertThat(section("A transaction that stays open"))
        .contains("| drains | events/s | least – most | ratio to native | ratio to free | ledger |")
        .contains("*Ratio to free* is the rate while the transaction is held divided by")
        .contains("| Postcommit log | free | 3 | 20,000 | 10,000 – 21,000 | 2.50× | 1× | - |")
        .contains("| Postcommit log | held | 3 | 18,900 | 9,500 – 20,000 | 2.70× | 0.950× | - |")
        .contains("| **Postcommit native** | held | 2 | 7,000 | 6,000 – 8,000 | 1× | 0.875× | - |");
  }

  @Test
  void deadRowVersionsAreShownAndExplainedWhereTheyWereMeasured(@TempDir Path other)
      throws IOException {
    assertThat(section("What an event costs"))
        .contains("| dead row versions |")
        .contains("the one row of its cursor, none of events");
    assertThat(section("The answer")).doesNotContain("dead row versions left per event at 1,000");

    copyTo(other);
    Path csv = other.resolve("benchmarks/results.csv");
    Files.write(
        csv, Files.readAllLines(csv).stream().filter(row -> !row.contains("dead_rows")).toList());
    Page.write(other);

    assertThat(other.resolve("benchmarks.md")).content().doesNotContainIgnoringCase("dead row");
  }

  @Test
  void theBestIsFirstAndLimitsAreLast() {
    assertThat(section("Draining a backlog"))
        .containsSubsequence(
            "Postcommit log", "Postcommit native", "Log reader", "one", "two", "Bare producer");
    assertThat(section("Latency under steady load"))
        .containsSubsequence("| Peer \\| one |", "| **Postcommit native** |", "| two |");
  }

  @Test
  void whatTheLedgerFoundIsSaid() {
    assertThat(section("Draining a backlog"))
        .contains(
            "| loses 3, delivers 5 rolled-back events, stopped after the time limit with 100,000"
                + " left |");
    assertThat(section("Latency under steady load"))
        .contains("| did not keep up: 250 not arrived, writers fell behind: 700/s |");
    assertThat(section("An outage of the broker")).contains("| 17 | gives up 17 |");
  }

  @Test
  void whatWasNotMeasuredIsADash() {
    assertThat(section("Hot and skewed keys")).contains("| two | hot | - | - | - | - | - | - |");
    assertThat(section("An outage of the broker")).contains("| two | 12.5 | 12.5 – 12.5 | - |");
    assertThat(page).doesNotContain("A table with history");
  }

  @Test
  void conditionsAreShown() {
    assertThat(section("Machine, versions and settings"))
        .contains("| postgres fsync | on |")
        .contains("| Peer \\| one | 1.0 | poll | 10 ms (default 1 s) |");
    assertThat(page).contains("This was a quick run");
  }

  @Test
  void everyPlotIsThereAndNoOtherUnlessThereAreNoFonts() throws IOException {
    List<String> named =
        Pattern.compile("\\(benchmarks/([\\w-]+\\.svg)\\)")
            .matcher(page)
            .results()
            .map((MatchResult link) -> link.group(1))
            .toList();
    assertThat(named).contains("drain.svg", "steady-1000.svg", "costs-drain.svg", "keys.svg");
    if (Plots.hasFonts()) {
      assertThat(plots(directory).keySet()).containsExactlyInAnyOrderElementsOf(named);
      assertThat(plots(directory).get("drain.svg")).contains("Postcommit native", "Bare producer");
    } else {
      assertThat(plots(directory)).isEmpty();
    }
  }

  @Test
  void theSameFiguresGiveTheSameBytes(@TempDir Path other) throws IOException {
    copyTo(other);
    Files.writeString(other.resolve("benchmarks/old.svg"), "of another run");

    Page.write(other);

    assertThat(other.resolve("benchmarks.md")).hasContent(page);
    assertThat(plots(other)).isEqualTo(plots(directory));
  }

  @Test
  void aContenderOfWhomNothingIsSaidIsRefused() {
    Map<String, String> about = new HashMap<>();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Entrant.of("new", about))
        .withMessageContaining("contender.new.kind");
  }

  private static Map<String, String> plots(Path directory) throws IOException {
    Map<String, String> plots = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory.resolve("benchmarks"))) {
      for (Path file : files.filter(it -> it.toString().endsWith(".svg")).toList()) {
        plots.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return plots;
  }

  @Test
  void minutesStandBesideEachOtherAndTheLastThreeAreCompared() {
    assertThat(section("Minutes beside a transaction that stays open"))
        .contains("| 1 | 2 | 3 | 4 | last three | ratio to free |")
        .contains("| free | 4 | 5 | 6 | 5 | 5 | 1× |")
        .contains("| held | 4 | 8 | 9 | 10 | 9 | 1.80× |");
  }
}
