package dev.postcommit.bench.report;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** All results of a run, by contender and question. */
final class Figures {
  private static final List<String> OURS = List.of("postcommit-native", "postcommit-log");

  /** The part of a rate that must have been written; some transactions are rolled back. */
  private static final double ON_TIME = 0.9;

  /** Counts of the ledger that are zero if all is well, and what they count. */
  static final Map<String, String> WRONG =
      new TreeMap<>(
          Map.of(
              "dead", "given up",
              "lost", "lost",
              "phantom", "delivered although rolled back",
              "repeated", "repeated"));

  private final List<Row> rows;
  private final Map<String, String> about;

  Figures(List<Row> rows, Map<String, String> about) {
    this.rows = rows;
    this.about = about;
  }

  /** Our native and log layouts, followed by the peers, the fastest first. */
  List<Contender> contenders() {
    List<Contender> measured =
        rows.stream().map(Row::contender).distinct().map(id -> Contender.of(id, about)).toList();
    return Stream.concat(
            OURS.stream()
                .flatMap(id -> measured.stream().filter(contender -> contender.id().equals(id))),
            measured.stream().filter(Contender::isPeer).sorted(byAnswer(Question.DRAIN)))
        .toList();
  }

  /** The best answer first, those without an answer last. */
  Comparator<Contender> byAnswer(Question question) {
    return Comparator.comparingDouble(
        contender ->
            find(question, contender)
                .map(it -> question.isHigherBetter() ? -it.median() : it.median())
                .orElse(Double.MAX_VALUE));
  }

  /** The contender with the best answer that needs no mark. */
  Optional<Contender> best(Question question) {
    return contenders().stream()
        .filter(it -> find(question, it).map(Figure::mark).filter(String::isEmpty).isPresent())
        .min(byAnswer(question));
  }

  Optional<Figure> find(Question question, Contender contender) {
    Map<Integer, List<Row>> rounds =
        about(question, contender)
            .filter(row -> question.metrics().contains(row.metric()))
            .collect(Collectors.groupingBy(Row::round));
    List<Double> sums =
        rounds.values().stream()
            .filter(parts -> parts.size() == question.metrics().size())
            .map(parts -> parts.stream().mapToDouble(Row::value).sum())
            .toList();
    return sums.isEmpty()
        ? Optional.empty()
        : Optional.of(Figure.of(sums, mark(question, contender)));
  }

  private String mark(Question question, Contender contender) {
    boolean hasLeft = values(question, contender, "left").anyMatch(left -> left > 0);
    if (!question.scenario().equals("steady")) {
      return hasLeft ? Figure.STOPPED : "";
    }
    double least = ON_TIME * Double.parseDouble(question.variant());
    boolean isLate =
        values(question, contender, "written_per_second").anyMatch(written -> written < least);
    return hasLeft || isLate ? Figure.LATE : "";
  }

  private DoubleStream values(Question question, Contender contender, String metric) {
    return about(question, contender)
        .filter(row -> row.metric().equals(metric))
        .mapToDouble(Row::value);
  }

  private Stream<Row> about(Question question, Contender contender) {
    return rows.stream()
        .filter(row -> question.isAbout(row) && row.contender().equals(contender.id()));
  }

  /** The total of a count over all scenarios and rounds; empty if nothing was counted. */
  Optional<Double> total(Contender contender, String metric) {
    return rows.stream()
        .filter(row -> row.contender().equals(contender.id()) && row.metric().equals(metric))
        .map(Row::value)
        .reduce(Double::sum);
  }

  /** Whether no event of a contender was out of order in any scenario. */
  boolean isInOrder(Contender contender) {
    return total(contender, "out_of_order").orElse(0.0) == 0;
  }
}
