package dev.postcommit.bench.report;

import java.util.List;
import java.util.Optional;

/** The short answer: ourselves beside the best and the worst of the peers that poll. */
final class Answers {
  private static final List<Question> QUESTIONS =
      List.of(
          new Question("a backlog is delivered at, events/s", new Case("drain", ""), Metric.RATE),
          new Question(
              "at 1,000 events/s, p99 from commit to consumer, ms",
              new Case("steady", "1000"),
              new Metric("p99_ms")),
          new Question("highest rate held, events/s", new Case("sustained", ""), Metric.RATE),
          new Question(
              "added to a transaction, one writer, µs", new Case("enqueue", "1"), Metric.ADDED),
          new Question(
              "added to a transaction, eight writers, µs", new Case("enqueue", "8"), Metric.ADDED),
          new Question("CPU per event, of all parts, µs", new Case("drain", ""), Metric.CPU),
          new Question("WAL per event, bytes", new Case("drain", ""), Metric.WAL));

  private final Figures figures;
  private final Findings findings;

  Answers(Figures figures) {
    this.figures = figures;
    this.findings = new Findings(figures);
  }

  @Override
  public String toString() {
    Table table =
        new Table("", "Postcommit", "best polling peer", "ahead", "worst polling peer", "ahead");
    for (Question question : QUESTIONS) {
      List<Entrant> all =
          figures.ranked(question.situation(), question.metric()).stream()
              .filter(entrant -> figure(question, entrant).isPresent())
              .toList();
      Optional<Entrant> own = all.stream().filter(Entrant::isReference).findFirst();
      List<Entrant> peers = all.stream().filter(Entrant::isPollingPeer).toList();
      Optional<Entrant> best = peers.stream().findFirst();
      Optional<Entrant> worst = peers.stream().reduce((one, next) -> next);
      table.row(
          question.text(),
          own.map(it -> shown(question, it, "")).orElse(Numbers.MISSING),
          best.map(peer -> shown(question, peer, ", " + peer.name())).orElse(Numbers.MISSING),
          best.map(peer -> ahead(question, peer)).orElse(Numbers.MISSING),
          worst.map(peer -> shown(question, peer, ", " + peer.name())).orElse(Numbers.MISSING),
          worst.map(peer -> ahead(question, peer)).orElse(Numbers.MISSING));
    }
    return table.toString();
  }

  private Optional<Figure> figure(Question question, Entrant entrant) {
    return figures.find(question.situation(), entrant, question.metric());
  }

  private String shown(Question question, Entrant entrant, String name) {
    return Numbers.median(figure(question, entrant))
        + Table.escaped(name)
        + findings.suffix(question.situation(), entrant);
  }

  /** Who of the two is ahead, and how many times. */
  private String ahead(Question question, Entrant peer) {
    Metric metric = question.metric();
    Optional<Figure> own = figures.reference(question.situation(), metric);
    Optional<Figure> others = figure(question, peer);
    if (own.isEmpty() || others.isEmpty()) {
      return Numbers.MISSING;
    }
    double one = own.get().median();
    double other = others.get().median();
    if (metric.isBetter(one, other)) {
      return "Postcommit, " + Numbers.times(metric.lead(one, other));
    }
    return metric.isBetter(other, one)
        ? "**%s, %s**".formatted(Table.escaped(peer.name()), Numbers.times(metric.lead(other, one)))
        : "neither";
  }

  /** Something a reader wants to know first. */
  private record Question(String text, Case situation, Metric metric) {}
}
