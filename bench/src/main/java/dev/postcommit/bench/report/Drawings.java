package dev.postcommit.bench.report;

import dev.postcommit.bench.report.Plot.Series;
import dev.postcommit.bench.report.Plot.Style;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Chooses what plots show. */
final class Drawings {
  private final Figures figures;

  Drawings(Figures figures) {
    this.figures = figures;
  }

  /** A bar for each contender and case. */
  Plot bars(Section section, List<Case> cases) {
    return plot(
        section.scenario(),
        section.title(),
        section.main().title(),
        Style.BARS,
        figures.ranked(cases, section.main()),
        cases.stream()
            .map(
                situation ->
                    new Series(situation.title(section.unit()), values(situation, section.main())))
            .toList());
  }

  /** A row of marks for each contender. */
  Plot percentiles(Section section, Case situation) {
    return plot(
        situation.fileName(),
        section.title(situation),
        "ms, from commit to consumer, logarithmic",
        Style.MARKS,
        figures.ranked(situation, section.main()),
        Section.PERCENTILES.stream().map(metric -> series(situation, metric)).toList());
  }

  /** A bar of the CPU time of an event for each contender. */
  Plot costs(Case situation, String title) {
    return plot(
        "costs-" + situation.fileName(),
        "CPU per event: " + title,
        "µs",
        Style.STACKED,
        figures.ranked(situation, Metric.CPU),
        Figures.CPU.stream().map(part -> series(situation, part)).toList());
  }

  private Series series(Case situation, Metric metric) {
    return new Series(metric.title().replaceAll(", .*", ""), values(situation, metric));
  }

  private Map<Entrant, Double> values(Case situation, Metric metric) {
    Map<Entrant, Double> values = new LinkedHashMap<>();
    figures
        .ranked(situation, metric)
        .forEach(
            entrant ->
                figures
                    .find(situation, entrant, metric)
                    .ifPresent(figure -> values.put(entrant, figure.median())));
    return values;
  }

  /** Without those of whom there is nothing to draw. */
  private static Plot plot(
      String file,
      String title,
      String axis,
      Style style,
      List<Entrant> entrants,
      List<Series> series) {
    List<Entrant> drawn =
        entrants.stream()
            .filter(entrant -> series.stream().anyMatch(one -> one.values().containsKey(entrant)))
            .toList();
    return new Plot(file, title, axis, style, drawn, series);
  }
}
