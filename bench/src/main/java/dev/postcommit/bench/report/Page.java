package dev.postcommit.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The page of a benchmark and its plots, written from what was measured and nothing else. */
public final class Page {
  private Page() {}

  /**
   * Reads {@code benchmarks/results.csv} and {@code benchmarks/about.properties} in {@code
   * directory}, and writes {@code benchmarks.md} and the plots {@code benchmarks/*.svg} there. The
   * same input gives the same bytes; on a machine without fonts there are no plots.
   */
  public static void write(Path directory) throws IOException {
    Path data = directory.resolve("benchmarks");
    Map<String, String> about = About.read(data.resolve("about.properties"));
    Figures figures = new Figures(Results.read(data.resolve("results.csv")), about);

    Report report = new Report();
    begin(report, about);
    report.heading(2, "The answer");
    report.paragraph(new Answers(figures));
    report.paragraph(
        """
        Medians of the rounds; *ahead* says who is, and how many times; less than half a percent counts as equal. In brackets
        stands what the ledger found. The peer is the one that did best at the question. Polling peers ask the database for
        events; those that read its log are in the tables below. A peer *kept the order* if it delivered no event of a key
        before an earlier one in any scenario of this run, as is asked of every layout of ours; the others do less.""");
    report.heading(2, "Where a peer is ahead");
    report.paragraph(
        """
        Every median of a peer, polling or not, that is better than those of Postcommit's native and log layouts, in any
        scenario; *ahead* is how many times better than the better of the two. Less than half a percent counts as equal. Where
        it is better than one of them only is listed too, folded, and *ahead* is then how many times better than that one.""");
    report.paragraph(new Ahead(figures));
    legend(report);
    new Sections(figures, report).write();
    new Conditions(about, figures, report).write();

    Files.writeString(directory.resolve("benchmarks.md"), report.toString());
    Plots.write(data, report.plots());
  }

  private static void begin(Report report, Map<String, String> about) {
    report.heading(1, "Benchmarks");
    report.paragraph(
        """
        How fast Postcommit is beside what else one would use, each set as its documentation advises, against one real Postgres
        and one real Kafka. Every run is checked by a ledger: what was lost, reordered, repeated, or delivered although it was
        rolled back, is said. This page is written by the benchmark from its [figures](benchmarks/results.csv) and
        [conditions](benchmarks/about.properties).""");
    if (Boolean.parseBoolean(about.get("run.quick"))) {
      report.paragraph("**This was a quick run: too short to quote.**");
    }
  }

  private static void legend(Report report) {
    report.heading(2, "How to read the tables");
    report.paragraph(
        """
        The figure is the median of the rounds, *least – most* their range, and *ratio to native* the median divided by that of
        Postcommit's native layout: above 1× is more, which is better for rates and worse for the rest. Where a contender drains
        in several ways, *drains* says how often it did in each, and the last ratio compares these ways: it is the median of the
        ratios of drains of the same round, for a machine is not the same at all times. The best is first, limits are last. A
        dash stands for what was not measured. The *ledger* shows the most of any round. Plots: Postcommit in blue, its native
        and log layouts darker, peers in orange, limits in grey.""");
  }
}
