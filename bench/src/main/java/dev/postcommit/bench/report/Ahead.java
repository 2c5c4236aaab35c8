package dev.postcommit.bench.report;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where a peer's median is better than those of our native and log layouts, or than one of the two,
 * whatever the scenario and whatever was measured. A layout that was not measured does not count.
 */
final class Ahead {
  private final Figures figures;
  private final Findings findings;
  private final Table everyRound = table();
  private final Table spread = table();
  private final Table ofNative = table();
  private final Table ofLog = table();

  Ahead(Figures figures) {
    this.figures = figures;
    this.findings = new Findings(figures);
    for (Case situation : figures.cases()) {
      for (Metric metric : figures.metrics(situation)) {
        if (metric.isContested()) {
          add(situation, metric);
        }
      }
    }
  }

  private static Table table() {
    return new Table("where", "what", "peer", "its median", "native", "log", "ahead", "ledger");
  }

  private void add(Case situation, Metric metric) {
    for (Entrant peer : figures.ranked(situation, metric)) {
      if (peer.kind() == Entrant.Kind.PEER) {
        figures
            .find(situation, peer, metric)
            .ifPresent(figure -> add(situation, metric, peer, figure));
      }
    }
  }

  private void add(Case situation, Metric metric, Entrant peer, Figure figure) {
    Optional<Figure> reference = figures.reference(situation, metric);
    Optional<Figure> log = figures.log(situation, metric);
    List<Figure> measured = Stream.of(reference, log).flatMap(Optional::stream).toList();
    List<Figure> beaten =
        measured.stream().filter(own -> metric.isAhead(figure.median(), own.median())).toList();
    if (!beaten.isEmpty()) {
      double best =
          beaten.stream()
              .map(Figure::median)
              .reduce((one, other) -> metric.isBetter(one, other) ? one : other)
              .orElseThrow();
      Table table = ofLog;
      if (beaten.size() == measured.size()) {
        boolean isApart = beaten.stream().allMatch(own -> figure.isApartFrom(own, metric));
        table = isApart ? everyRound : spread;
      } else if (beaten.equals(reference.stream().toList())) {
        table = ofNative;
      }
      table.row(
          (situation.scenario() + " " + situation.title("")).strip(),
          metric.title(),
          Table.escaped(peer.name()),
          Numbers.text(figure.median()),
          Numbers.median(reference),
          Numbers.median(log),
          Numbers.times(metric.lead(figure.median(), best)),
          findings.of(situation, peer));
    }
  }

  @Override
  public String toString() {
    if (figures.entrants().stream().noneMatch(it -> it.kind() == Entrant.Kind.PEER)) {
      return "No peer took part in this run.\n";
    }
    return (everyRound.isEmpty()
            ? "No peer is ahead of both in each round of anything.\n"
            : "Ahead of both in each round, the worst of the peer being better than the best of"
                + " ours:\n\n"
                + everyRound)
        + folded("Ahead of both by the median only, while the rounds overlap", spread)
        + folded("Ahead of native, but not of log", ofNative)
        + folded("Ahead of log, but not of native", ofLog);
  }

  private static String folded(String summary, Table table) {
    return table.isEmpty()
        ? ""
        : "\n<details><summary>%s (%d)</summary>\n\n%s\n</details>\n"
            .formatted(summary, table.size(), table);
  }
}
