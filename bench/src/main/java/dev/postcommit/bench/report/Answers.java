package dev.postcommit.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The short answer: the layouts of our own design beside the best of the peers that poll, and the
 * best of those of them that kept the order of events, as ours do. What was measured of nobody is
 * not asked.
 */
final class Answers {
  private static final Case DRAIN = new Case("drain", "");
  private static final Case LOAD = new Case("steady", "1000");

  private final Figures figures;
  private final Findings findings;

  Answers(Figures figures) {
    this.figures = figures;
    this.findings = new Findings(figures);
  }

  private List<Question> questions() {
    List<Question> questions = new ArrayList<>();
    questions.add(new Question("a backlog is delivered at, events/s", DRAIN, Metric.RATE));
    for (Case rate : figures.cases("steady")) {
      String text = "at %s, p99 from commit to consumer, ms".formatted(rate.title("events/s"));
      questions.add(new Question(text, rate, Metric.P99));
    }
    questions.add(
        new Question("highest rate held, events/s", new Case("sustained", ""), Metric.RATE));
    for (Case writers : figures.cases("enqueue")) {
      String text = "added to a transaction, %s, µs".formatted(writers.title("writers"));
      questions.add(new Question(text, writers, Metric.ADDED));
    }
    questions.addAll(costs("of a drain", DRAIN));
    questions.addAll(costs("at 1,000 events/s", LOAD));
    return questions;
  }

  private static List<Question> costs(String when, Case situation) {
    return List.of(
        new Question("CPU of all parts per event %s, µs".formatted(when), situation, Metric.CPU),
        new Question("WAL per event %s, bytes".formatted(when), situation, Metric.WAL),
        new Question("commits per event %s".formatted(when), situation, Metric.COMMITS),
        new Question("rows written per event %s".formatted(when), situation, Metric.ROWS),
        new Question(
            "dead row versions left per event %s".formatted(when), situation, Metric.DEAD_ROWS));
  }

  @Override
  public String toString() {
    Table table =
        new Table(
            "",
            "Postcommit, native",
            "Postcommit, log",
            "best polling peer",
            "native or peer ahead",
            "log or peer ahead",
            "best that kept the order",
            "log or that peer ahead");
    for (Question question : questions()) {
      List<Entrant> answered =
          figures.ranked(question.situation(), question.metric()).stream()
              .filter(entrant -> figure(question, entrant).isPresent())
              .toList();
      if (answered.isEmpty()) {
        continue;
      }
      Optional<Entrant> ours = answered.stream().filter(Entrant::isReference).findFirst();
      Optional<Entrant> log = answered.stream().filter(Entrant::isLog).findFirst();
      List<Entrant> peers = answered.stream().filter(Entrant::isPollingPeer).toList();
      Optional<Entrant> peer = peers.stream().findFirst();
      Optional<Entrant> inOrder = peers.stream().filter(findings::isInOrder).findFirst();
      table.row(
          question.text(),
          ours.map(it -> shown(question, it, "")).orElse(Numbers.MISSING),
          log.map(it -> shown(question, it, "")).orElse(Numbers.MISSING),
          named(question, peer),
          ahead(question, "native", ours, peer),
          ahead(question, "log", log, peer),
          named(question, inOrder),
          ahead(question, "log", log, inOrder));
    }
    return table.toString();
  }

  private Optional<Figure> figure(Question question, Entrant entrant) {
    return figures.find(question.situation(), entrant, question.metric());
  }

  private String named(Question question, Optional<Entrant> peer) {
    return peer.map(it -> shown(question, it, ", " + it.name())).orElse(Numbers.MISSING);
  }

  private String shown(Question question, Entrant entrant, String name) {
    return Numbers.median(figure(question, entrant))
        + Table.escaped(name)
        + findings.suffix(question.situation(), entrant);
  }

  /** Which of the two is ahead, and how many times. */
  private String ahead(
      Question question, String layout, Optional<Entrant> ours, Optional<Entrant> peer) {
    Optional<Figure> one = ours.flatMap(it -> figure(question, it));
    Optional<Figure> other = peer.flatMap(it -> figure(question, it));
    if (one.isEmpty() || other.isEmpty()) {
      return Numbers.MISSING;
    }
    Metric metric = question.metric();
    double own = one.get().median();
    double others = other.get().median();
    if (metric.isAhead(own, others)) {
      return layout + ", " + Numbers.times(metric.lead(own, others));
    }
    return metric.isAhead(others, own)
        ? "**peer, %s**".formatted(Numbers.times(metric.lead(others, own)))
        : "neither";
  }

  /** Something a reader wants to know first. */
  private record Question(String text, Case situation, Metric metric) {}
}
