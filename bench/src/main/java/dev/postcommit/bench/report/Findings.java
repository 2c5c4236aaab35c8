package dev.postcommit.bench.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the ledger of a run says: the most of any round, so that nothing is averaged away. */
final class Findings {
  /** How a run is described in which nothing was found. */
  static final String NONE = "clean";

  private static final Finding REORDERED = new Finding("out_of_order", "reorders %s");

  private static final List<Finding> KINDS =
      List.of(
          new Finding("lost", "loses %s"),
          new Finding("phantom", "delivers %s rolled-back events"),
          REORDERED,
          new Finding("repeated", "repeats %s"),
          new Finding("dead", "gives up %s"),
          new Finding("left", ""));

  /** Where what is left was not waited for any longer, rather than stopped. */
  private static final Map<String, String> LEFT =
      Map.of("steady", "did not keep up: %s not arrived", "outage", "%s not arrived");

  /** The part of a rate that must have been written; some transactions are rolled back. */
  private static final double ON_TIME = 0.9;

  private static final String STOPPED = "stopped after the time limit with %s left";

  private final Figures figures;

  Findings(Figures figures) {
    this.figures = figures;
  }

  /** Whether anybody was looked after in {@code situation}. */
  boolean areKnown(Case situation) {
    return KINDS.stream()
        .anyMatch(kind -> figures.metrics(situation).contains(new Metric(kind.metric())));
  }

  /**
   * What was found, or that nothing was; a dash for limits, which promise nothing, and if not all
   * of the ledger is known.
   */
  String of(Case situation, Entrant entrant) {
    String found = found(situation, entrant).collect(Collectors.joining(", "));
    if (!found.isEmpty()) {
      return found;
    }
    boolean isWhole =
        entrant.kind() != Entrant.Kind.LIMIT
            && KINDS.stream()
                .filter(Finding::isOfEveryLedger)
                .allMatch(kind -> most(situation, entrant, kind).isPresent());
    return isWhole ? NONE : Numbers.MISSING;
  }

  /** Whether its order was looked after, and found to be kept in every scenario. */
  boolean isInOrder(Entrant entrant) {
    List<Double> reordered =
        figures.cases().stream()
            .flatMap(situation -> most(situation, entrant, REORDERED).stream())
            .toList();
    return !reordered.isEmpty() && reordered.stream().allMatch(most -> most == 0);
  }

  /** What stands behind a figure in a row that has no room for more; empty if nothing was found. */
  String suffix(Case situation, Entrant entrant) {
    String found = found(situation, entrant).collect(Collectors.joining(", "));
    return found.isEmpty() ? "" : " (%s)".formatted(found);
  }

  private Stream<String> found(Case situation, Entrant entrant) {
    return Stream.concat(counts(situation, entrant), late(situation, entrant).stream());
  }

  /** A load that was not reached makes latencies look better than they are. */
  private Optional<String> late(Case situation, Entrant entrant) {
    if (!situation.scenario().equals("steady")) {
      return Optional.empty();
    }
    return figures
        .find(situation, entrant, new Metric("written_per_second"))
        .map(Figure::least)
        .filter(written -> written < ON_TIME * situation.number())
        .map(written -> "writers fell behind: %s/s".formatted(Numbers.count(written)));
  }

  private Stream<String> counts(Case situation, Entrant entrant) {
    return KINDS.stream()
        .flatMap(
            kind ->
                most(situation, entrant, kind)
                    .filter(most -> most > 0)
                    .map(most -> text(situation, kind).formatted(Numbers.count(most)))
                    .stream());
  }

  private static String text(Case situation, Finding kind) {
    return kind.metric().equals("left")
        ? LEFT.getOrDefault(situation.scenario(), STOPPED)
        : kind.text();
  }

  private Optional<Double> most(Case situation, Entrant entrant, Finding kind) {
    return figures.find(situation, entrant, new Metric(kind.metric())).map(Figure::most);
  }

  /** A metric of the ledger, and how it is said. */
  private record Finding(String metric, String text) {
    private static final Set<String> ELSEWHERE = Set.of("dead", "left");

    boolean isOfEveryLedger() {
      return !ELSEWHERE.contains(metric);
    }
  }
}
