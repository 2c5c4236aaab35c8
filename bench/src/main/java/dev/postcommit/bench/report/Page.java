package dev.postcommit.bench.report;

import static dev.postcommit.bench.report.Question.ADDED;
import static dev.postcommit.bench.report.Question.DRAIN;
import static dev.postcommit.bench.report.Question.LATENCY;
import static dev.postcommit.bench.report.Question.SUSTAINED;

import dev.postcommit.bench.report.BarChart.Bar;
import dev.postcommit.bench.report.BarChart.Theme;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page of a benchmark and its plots, written from the results and a template. */
public final class Page {
  private static final String MISSING = "–";

  private final Map<String, String> about;
  private final Figures figures;
  private final List<Contender> contenders;
  private final List<Failure> failures;

  private Page(Path data) throws IOException {
    Path csv = data.resolve("results.csv");
    this.about = About.read(data.resolve("about.properties"));
    this.figures = new Figures(Results.read(csv), about);
    this.contenders = figures.contenders();
    this.failures = Results.failures(csv);
  }

  /**
   * Reads {@code benchmarks/results.csv} and {@code benchmarks/about.properties} in {@code
   * directory}, and writes {@code benchmarks.md} and the plots {@code benchmarks/*.svg} there. The
   * same input gives the same bytes.
   */
  public static void write(Path directory) throws IOException {
    Path data = directory.resolve("benchmarks");
    Page page = new Page(data);
    List<BarChart> charts = page.charts();
    Files.writeString(directory.resolve("benchmarks.md"), page.text(charts));
    for (BarChart chart : charts) {
      for (Theme theme : Theme.values()) {
        Files.writeString(data.resolve(chart.file() + theme.suffix()), chart.svg(theme));
      }
    }
  }

  private String text(List<BarChart> charts) throws IOException {
    String text;
    try (InputStream template = Page.class.getResourceAsStream("benchmarks.md")) {
      text = new String(Objects.requireNonNull(template).readAllBytes(), StandardCharsets.UTF_8);
    }
    boolean isQuick = Boolean.parseBoolean(about.get("run.quick"));
    return text.replace("${quick}", isQuick ? "This was a quick run, too short to quote. " : "")
        .replace("${conditions}", conditions())
        .replace("${versions}", versions())
        .replace("${limit}", about("run.drain_limit"))
        .replace("${table}", table())
        .replace("${ledger}", ledger())
        .replace("${charts}", charts.stream().map(Page::image).collect(Collectors.joining("\n\n")))
        .replace("${failures}\n\n", failures());
  }

  private String conditions() {
    return "Measured on %s, on %s cores (%s) shared by Postgres %s, Kafka %s, relay, writers and consumer."
        .formatted(
            LocalDate.parse(about("run.date"))
                .format(DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.ENGLISH)),
            about("machine.cores"),
            about("machine.cpu"),
            about("postgres.version"),
            about("kafka.version"));
  }

  private String about(String name) {
    return Objects.requireNonNull(about.get(name), name);
  }

  private String versions() {
    return contenders.stream()
        .filter(Contender::isPeer)
        .map(peer -> peer.name() + " " + peer.version())
        .collect(Collectors.joining(", "));
  }

  private String table() {
    StringBuilder table = new StringBuilder();
    table.append(row("", contenders.stream().map(Contender::name)));
    table.append("|---|").append("---:|".repeat(contenders.size())).append('\n');
    for (Question question : Question.ALL) {
      Optional<Contender> best = figures.best(question);
      table.append(
          row(
              question.text(),
              contenders.stream()
                  .map(it -> cell(figures.find(question, it), best.equals(Optional.of(it))))));
    }
    return table
        .append(
            row(
                "events out of order, in all scenarios",
                contenders.stream()
                    .map(it -> figures.total(it, "out_of_order").map(Numbers::text))
                    .map(total -> total.orElse(MISSING))))
        .toString()
        .strip();
  }

  private static String row(String first, Stream<String> cells) {
    return cells.collect(Collectors.joining(" | ", "| " + first + " | ", " |\n"));
  }

  private static String cell(Optional<Figure> figure, boolean isBest) {
    String text = figure.map(Figure::text).orElse(MISSING).replace("*", "\\*");
    return isBest ? "**" + text + "**" : text;
  }

  /** What went wrong with deliveries, whatever the scenario. */
  private String ledger() {
    String wrong =
        contenders.stream()
            .filter(contender -> !wrong(contender).isEmpty())
            .map(contender -> "\n- " + contender.name() + ": " + wrong(contender))
            .collect(Collectors.joining());
    return "A [ledger](testkit.md) checks every event. "
        + (wrong.isEmpty()
            ? "None was lost, repeated or given up, and none was delivered although it was rolled back."
            : "It found:\n" + wrong);
  }

  private String wrong(Contender contender) {
    return Figures.WRONG.entrySet().stream()
        .flatMap(
            wrong ->
                figures.total(contender, wrong.getKey()).stream()
                    .filter(total -> total > 0)
                    .map(total -> Numbers.text(total) + " " + wrong.getValue()))
        .collect(Collectors.joining(", "));
  }

  private List<BarChart> charts() {
    return Stream.of(
            chart("drain", "Delivering a backlog", "events per second; more is better", DRAIN),
            chart(
                "latency",
                "From commit to consumer at 1,000 events/s",
                "p99 in milliseconds; less is better",
                LATENCY),
            chart("sustained", "Highest rate held", "events per second; more is better", SUSTAINED),
            chart(
                "added",
                "Added to a transaction by an event",
                "microseconds, one writer; less is better",
                ADDED))
        .filter(chart -> !chart.bars().isEmpty())
        .toList();
  }

  private BarChart chart(String file, String title, String unit, Question question) {
    List<Bar> bars =
        contenders.stream()
            .sorted(figures.byAnswer(question))
            .flatMap(
                contender ->
                    figures.find(question, contender).stream()
                        .map(it -> new Bar(contender, it, figures.isInOrder(contender))))
            .toList();
    return new BarChart(file, title, unit, bars, conditions());
  }

  private static String image(BarChart chart) {
    return """
        <picture>
          <source media="(prefers-color-scheme: dark)" srcset="benchmarks/%1$s%2$s">
          <img alt="%4$s, %5$s" src="benchmarks/%1$s%3$s">
        </picture>"""
        .formatted(
            chart.file(), Theme.DARK.suffix(), Theme.LIGHT.suffix(), chart.title(), chart.unit());
  }

  private String failures() {
    return failures.isEmpty()
        ? ""
        : failures.stream()
            .map(failure -> "- " + failure.toString().replaceAll("[\\\\`*<|]", "\\\\$0") + "\n")
            .collect(Collectors.joining("", "## Not measured\n\n", "\n"));
  }
}
