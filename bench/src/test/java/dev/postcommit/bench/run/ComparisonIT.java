package dev.postcommit.bench.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.postcommit.bench.measure.Backlog;
import dev.postcommit.bench.measure.Servers;
import dev.postcommit.bench.measure.Sizes;
import dev.postcommit.bench.report.Failure;
import dev.postcommit.bench.report.Results;
import dev.postcommit.bench.report.Row;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole run with what needs no library of others, on real servers, small. */
class ComparisonIT {
  private static final Sizes TINY =
      new Sizes(
          1,
          300,
          new Backlog(2_000, Duration.ofSeconds(30)),
          1,
          List.of(200),
          0,
          0,
          1,
          1,
          0,
          1,
          new Backlog(1_000, Duration.ofSeconds(30)),
          1,
          1,
          500,
          2);

  @Test
  void scenariosAreMeasuredAndTheLedgerFindsNothing(@TempDir Path out) throws Exception {
    List<String> scenarios =
        List.of("drain", "steady", "enqueue", "statistics", "history", "outage");
    List<String> contenders =
        List.of("postcommit-native", "postcommit-log", "kafka-producer", "sql-drain");

    assertThat(new Comparison(out, out, scenarios, contenders, TINY, Servers::start).run())
        .isEmpty();

    List<Row> rows = Results.read(out.resolve("benchmarks").resolve("results.csv"));
    Map<String, Set<String>> askedOf =
        rows.stream().collect(groupingBy(Row::contender, mapping(Row::scenario, toSet())));
    assertThat(askedOf.get("postcommit-native")).containsExactlyInAnyOrderElementsOf(scenarios);
    assertThat(askedOf.get("kafka-producer")).containsExactlyInAnyOrder("drain", "steady");
    assertThat(askedOf.get("sql-drain")).containsExactly("drain");
    assertThat(rows)
        .filteredOn(
            row -> Set.of("lost", "phantom", "out_of_order", "left", "dead").contains(row.metric()))
        .hasSizeGreaterThan(20)
        .allSatisfy(row -> assertThat(row.value()).as(row.toString()).isZero());
    assertThat(rows)
        .filteredOn(row -> row.metric().equals("rows_written") && row.scenario().equals("drain"))
        .extracting(Row::contender)
        .contains("postcommit-native", "postcommit-log", "sql-drain");
    assertThat(dead(rows, "postcommit-native")).isGreaterThanOrEqualTo(1);
    assertThat(dead(rows, "postcommit-log")).isBetween(0.0, 0.1);
    assertThat(rates(rows, "history", "0")).hasSize(1);
    assertThat(rates(rows, "history", "500")).hasSize(1);
    assertThat(rows)
        .filteredOn(row -> row.scenario().equals("history") && row.metric().equals("p99_ms"))
        .extracting(Row::variant)
        .containsExactlyInAnyOrder("0", "0", "500", "500");
    assertThat(rows)
        .filteredOn(row -> row.metric().endsWith("_per_second") || row.metric().equals("p99_ms"))
        .allSatisfy(row -> assertThat(row.value()).as(row.toString()).isPositive());
    assertThat(out.resolve("benchmarks.md")).content().contains("Postcommit, native");
  }

  @Test
  void whatCannotBeStartedIsSaidAndTheRestIsMeasured(@TempDir Path home) throws Exception {
    // Servers: the first Postgres refuses its settings.
    Iterator<Map<String, String>> settings =
        List.of(Map.of("shared_buffers", "plenty"), Servers.POSTGRES).iterator();
    // Contenders: one is not built, and the JVM of the other finds no classes.
    Path broken = home.resolve(Path.of("bench", "peers", "debezium", "target", "classpath"));
    Files.createDirectories(broken.getParent());
    Files.writeString(broken, "");
    List<String> contenders = List.of("postcommit-native", "gruelbox", "debezium");
    Comparison comparison =
        new Comparison(
            home,
            home,
            List.of("drain", "enqueue"),
            contenders,
            TINY,
            () -> Servers.start(settings.next()));

    ByteArrayOutputStream console = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(console, true, UTF_8));
    List<Failure> failures;
    try {
      failures = comparison.run();
    } finally {
      System.setOut(before);
    }

    assertThat(failures)
        .extracting(Failure::scenario, Failure::contender)
        .containsExactly(
            tuple("drain", ""), tuple("start", "gruelbox"), tuple("start", "debezium"));
    assertThat(failures.get(0).reason()).startsWith("Postgres did not start");
    assertThat(failures.get(1).reason()).startsWith("it is not built");
    assertThat(failures.get(2).reason())
        .startsWith("its JVM did not start")
        .contains("dev.postcommit.bench.debezium.Main");
    Path csv = home.resolve("benchmarks").resolve("results.csv");
    assertThat(Results.failures(csv)).isEqualTo(failures);
    assertThat(Results.read(csv))
        .extracting(Row::scenario, Row::contender)
        .containsOnly(tuple("enqueue", "postcommit-native"));
    assertThat(failures)
        .allSatisfy(
            failure -> assertThat(console.toString(UTF_8)).contains("NOT MEASURED: " + failure));
    assertThat(home.resolve("benchmarks.md")).content().contains("- start, gruelbox: it is not");
  }

  /** Versions of rows that an event of a drain left dead. */
  private static double dead(List<Row> rows, String contender) {
    return rows.stream()
        .filter(row -> row.scenario().equals("drain") && row.contender().equals(contender))
        .filter(row -> row.metric().equals("dead_rows"))
        .mapToDouble(Row::value)
        .sum();
  }

  /** The rates of the log layout in one variant of a scenario. */
  private static List<Double> rates(List<Row> rows, String scenario, String variant) {
    return rows.stream()
        .filter(row -> row.scenario().equals(scenario) && row.variant().equals(variant))
        .filter(row -> row.contender().equals("postcommit-log"))
        .filter(row -> row.metric().equals("events_per_second"))
        .map(Row::value)
        .toList();
  }
}
