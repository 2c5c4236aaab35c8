package dev.postcommit.bench.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Writes the sections of the scenarios, with their plots and tables. */
final class Sections {
  private final Figures figures;
  private final Findings findings;
  private final Drawings drawings;
  private final Report report;

  Sections(Figures figures, Report report) {
    this.figures = figures;
    this.findings = new Findings(figures);
    this.drawings = new Drawings(figures);
    this.report = report;
  }

  /** All of which something was measured. */
  void write() {
    for (Section section : Section.ALL) {
      if (!figures.cases(section.scenario()).isEmpty()) {
        write(section);
      }
    }
    costs();
  }

  private void write(Section section) {
    report.heading(2, section.title());
    report.paragraph(section.text());
    List<Case> cases = figures.cases(section.scenario());
    switch (section.form()) {
      case BARS -> {
        report.plot(drawings.bars(section, cases));
        cases.forEach(
            situation -> {
              heading(section, situation);
              table(section, situation);
            });
      }
      case PERCENTILES ->
          cases.forEach(
              situation -> {
                heading(section, situation);
                report.plot(drawings.percentiles(section, situation));
                table(section, situation);
              });
      case VARIANTS -> {
        report.plot(drawings.bars(section, cases));
        report.paragraph(variants(section, cases));
      }
      case MINUTES -> report.paragraph(minutes(section, cases));
    }
  }

  private void heading(Section section, Case situation) {
    if (!situation.variant().isEmpty()) {
      report.heading(3, section.title(situation));
    }
  }

  private void table(Section section, Case situation) {
    report.paragraph(
        table(situation, section.main(), section.others(), findings.areKnown(situation)));
  }

  private void costs() {
    List<Case> cases =
        figures.cases().stream()
            .filter(situation -> !Collections.disjoint(figures.metrics(situation), Section.COSTS))
            .toList();
    if (cases.isEmpty()) {
      return;
    }
    report.heading(2, "What an event costs");
    report.paragraph(
        """
        Row writes, WAL, commits and CPU time while events were delivered, divided by their number. Under steady load the CPU
        of the relay is that of the whole service, with its writers.""");
    if (cases.stream().anyMatch(it -> figures.metrics(it).contains(Metric.DEAD_ROWS))) {
      report.paragraph(
          """
          Dead row versions are what updates and deletes leave for vacuum to clean up. Those of the log layout are versions of
          the one row of its cursor, none of events. What inserts leave that were rolled back is not counted.""");
    }
    for (Case situation : cases) {
      String title = title(situation);
      report.heading(3, "Costs: " + title);
      report.plot(drawings.costs(situation, title));
      report.paragraph(table(situation, Metric.CPU, Section.COSTS, false));
    }
  }

  private static String title(Case situation) {
    return Section.ALL.stream()
        .filter(section -> section.scenario().equals(situation.scenario()))
        .map(section -> section.title(situation))
        .findFirst()
        .orElse(situation.fileName());
  }

  /** The contenders of one case of whom there is something to show, the best first. */
  private Table table(Case situation, Metric main, List<Metric> others, boolean withLedger) {
    List<Metric> shown = others.stream().filter(figures.metrics(situation)::contains).toList();
    List<String> header =
        new ArrayList<>(List.of("", main.title(), "least – most", "ratio to native"));
    shown.forEach(metric -> header.add(metric.title()));
    if (withLedger) {
      header.add("ledger");
    }
    Table table = new Table(header);
    for (Entrant entrant : figures.ranked(situation, main)) {
      if (figures.find(situation, entrant, main).isEmpty()
          && shown.stream().allMatch(it -> figures.find(situation, entrant, it).isEmpty())) {
        continue;
      }
      List<String> row = new ArrayList<>(List.of(name(entrant)));
      row.addAll(compared(situation, entrant, main));
      shown.forEach(metric -> row.add(Numbers.median(figures.find(situation, entrant, metric))));
      if (withLedger) {
        row.add(findings.of(situation, entrant));
      }
      table.row(row);
    }
    return table;
  }

  /** Each contender in all cases, and beside each how it compares with its own first. */
  private Table variants(Section section, List<Case> cases) {
    Case first = cases.get(0);
    Metric main = section.main();
    List<Metric> shown =
        section.others().stream()
            .filter(it -> cases.stream().anyMatch(each -> figures.metrics(each).contains(it)))
            .toList();
    List<String> header =
        new ArrayList<>(
            List.of(
                "",
                "",
                "drains",
                main.title(),
                "least – most",
                "ratio to native",
                "ratio to " + first.title(section.unit())));
    shown.forEach(metric -> header.add(metric.title()));
    header.add("ledger");
    Table table = new Table(header);
    for (Entrant entrant : figures.ranked(cases, main)) {
      for (Case situation : cases) {
        Optional<Figure> figure = figures.find(situation, entrant, main);
        List<String> row = new ArrayList<>(List.of(name(entrant), situation.title(section.unit())));
        row.add(figure.map(it -> Numbers.count(it.rounds())).orElse(Numbers.MISSING));
        row.addAll(compared(situation, entrant, main));
        row.add(
            figures
                .ratio(situation, first, entrant, main)
                .map(ratio -> Numbers.times(OptionalDouble.of(ratio.median())))
                .orElse(Numbers.MISSING));
        shown.forEach(metric -> row.add(Numbers.median(figures.find(situation, entrant, metric))));
        row.add(findings.of(situation, entrant));
        table.row(row);
      }
    }
    return table;
  }

  /** Each contender in all cases, minute by minute, and how the last compare with its own first. */
  private Table minutes(Section section, List<Case> cases) {
    Case first = cases.get(0);
    Metric main = section.main();
    List<Entrant> entrants = figures.ranked(cases, main);
    List<Integer> minutes =
        entrants.stream()
            .flatMap(entrant -> figures.rounds(first, entrant, main).keySet().stream())
            .distinct()
            .sorted()
            .toList();
    List<String> header = new ArrayList<>(List.of("", ""));
    minutes.forEach(minute -> header.add(Numbers.count(minute)));
    header.addAll(List.of("last three", "ratio to " + first.variant(), "ledger"));
    Table table = new Table(header);
    for (Entrant entrant : entrants) {
      for (Case situation : cases) {
        Map<Integer, Double> rounds = figures.rounds(situation, entrant, main);
        List<String> row = new ArrayList<>(List.of(name(entrant), situation.variant()));
        minutes.forEach(
            minute ->
                row.add(
                    Optional.ofNullable(rounds.get(minute))
                        .map(Numbers::text)
                        .orElse(Numbers.MISSING)));
        Optional<Figure> last = lastThree(rounds);
        row.add(Numbers.median(last));
        row.add(ratio(last, lastThree(figures.rounds(first, entrant, main))));
        row.add(findings.of(situation, entrant));
        table.row(row);
      }
    }
    return table;
  }

  private static Optional<Figure> lastThree(Map<Integer, Double> rounds) {
    List<Double> all = List.copyOf(new TreeMap<>(rounds).values());
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(Figure.of(all.subList(Math.max(0, all.size() - 3), all.size())));
  }

  private List<String> compared(Case situation, Entrant entrant, Metric metric) {
    Optional<Figure> figure = figures.find(situation, entrant, metric);
    return List.of(
        Numbers.median(figure),
        Numbers.spread(figure),
        ratio(figure, figures.reference(situation, metric)));
  }

  private static String ratio(Optional<Figure> figure, Optional<Figure> base) {
    return figure
        .flatMap(
            one -> base.map(other -> Numbers.times(Metric.ratio(one.median(), other.median()))))
        .orElse(Numbers.MISSING);
  }

  private static String name(Entrant entrant) {
    String name = Table.escaped(entrant.name());
    return entrant.isReference() ? "**%s**".formatted(name) : name;
  }
}
