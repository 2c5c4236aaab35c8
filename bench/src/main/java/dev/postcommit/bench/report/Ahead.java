package dev.postcommit.bench.report;

import java.util.OptionalDouble;

/** Where a peer's median is better than ours, whatever the scenario and whatever was measured. */
final class Ahead {
  /** Less than this is the same. */
  private static final double EQUAL = 1.005;

  private final Figures figures;
  private final Findings findings;

  Ahead(Figures figures) {
    this.figures = figures;
    this.findings = new Findings(figures);
  }

  @Override
  public String toString() {
    Table everyRound = table();
    Table spread = table();
    for (Case situation : figures.cases()) {
      for (Metric metric : figures.metrics(situation)) {
        if (metric.isContested()) {
          figures
              .reference(situation, metric)
              .ifPresent(own -> add(everyRound, spread, situation, metric, own));
        }
      }
    }
    return text(everyRound, spread);
  }

  private static Table table() {
    return new Table("where", "what", "peer", "its median", "Postcommit's", "ahead", "ledger");
  }

  private String text(Table everyRound, Table spread) {
    if (figures.entrants().stream().noneMatch(it -> it.kind() == Entrant.Kind.PEER)) {
      return "No peer took part in this run.\n";
    }
    StringBuilder text = new StringBuilder();
    text.append(
        everyRound.isEmpty()
            ? "No peer is ahead in each round of anything.\n"
            : "In each round, the worst of the peer being better than the best of Postcommit:\n\n"
                + everyRound);
    if (!spread.isEmpty()) {
      text.append("\n<details><summary>By the median only, while the rounds overlap (")
          .append(spread.size())
          .append(")</summary>\n\n")
          .append(spread)
          .append("\n</details>\n");
    }
    return text.toString();
  }

  private void add(Table everyRound, Table spread, Case situation, Metric metric, Figure own) {
    for (Entrant peer : figures.ranked(situation, metric)) {
      if (peer.kind() == Entrant.Kind.PEER) {
        figures
            .find(situation, peer, metric)
            .filter(figure -> isAhead(metric, figure, own))
            .ifPresent(
                figure ->
                    (figure.isApartFrom(own, metric) ? everyRound : spread)
                        .row(row(situation, metric, peer, figure, own)));
      }
    }
  }

  private static boolean isAhead(Metric metric, Figure peer, Figure own) {
    OptionalDouble lead = metric.lead(peer.median(), own.median());
    return metric.isBetter(peer.median(), own.median()) && lead.orElse(EQUAL) >= EQUAL;
  }

  private String[] row(Case situation, Metric metric, Entrant peer, Figure figure, Figure own) {
    return new String[] {
      (situation.scenario() + " " + situation.title("")).strip(),
      metric.title(),
      Table.escaped(peer.name()),
      Numbers.text(figure.median()),
      Numbers.text(own.median()),
      Numbers.times(metric.lead(figure.median(), own.median())),
      findings.of(situation, peer)
    };
  }
}
