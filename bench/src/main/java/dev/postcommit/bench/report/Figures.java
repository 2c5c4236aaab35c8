package dev.postcommit.bench.report;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** All that was measured, over the rounds. */
final class Figures {

  /** Parts of the CPU time of an event. */
  static final List<Metric> CPU =
      List.of(
          new Metric("database_cpu_us"), new Metric("relay_cpu_us"), new Metric("broker_cpu_us"));

  private final Map<String, Entrant> entrants = new LinkedHashMap<>();
  private final Map<Key, Map<Integer, Double>> rounds = new LinkedHashMap<>();

  Figures(List<Row> rows, Map<String, String> about) {
    for (Row row : rows) {
      entrants.computeIfAbsent(row.contender(), id -> Entrant.of(id, about));
      add(row);
    }
    cpu(rows).forEach(this::add);
  }

  private void add(Row row) {
    Key key = new Key(caseOf(row), row.contender(), new Metric(row.metric()));
    rounds.computeIfAbsent(key, k -> new TreeMap<>()).put(row.round(), row.value());
  }

  private static Case caseOf(Row row) {
    return new Case(row.scenario(), row.variant());
  }

  /** The sums of the parts, of the rounds that have them all. */
  private static List<Row> cpu(List<Row> rows) {
    Set<String> parts = CPU.stream().map(Metric::key).collect(Collectors.toSet());
    Map<List<Object>, List<Row>> runs =
        rows.stream()
            .filter(row -> parts.contains(row.metric()))
            .collect(
                Collectors.groupingBy(
                    row -> List.of(caseOf(row), row.contender(), row.round()),
                    LinkedHashMap::new,
                    Collectors.toList()));
    return runs.values().stream()
        .filter(run -> run.size() == parts.size())
        .map(Figures::sum)
        .toList();
  }

  private static Row sum(List<Row> parts) {
    Row any = parts.get(0);
    double sum = parts.stream().mapToDouble(Row::value).sum();
    return new Row(
        any.scenario(), any.variant(), any.contender(), any.round(), Metric.CPU.key(), sum);
  }

  /** Everyone who was measured, the reference first, then as they came. */
  Collection<Entrant> entrants() {
    return entrants.values().stream()
        .sorted(
            Comparator.comparing((Entrant entrant) -> !entrant.isReference())
                .thenComparing(Entrant::kind))
        .toList();
  }

  /** The cases in which something was measured, by scenario. */
  List<Case> cases() {
    return rounds.keySet().stream()
        .map(key -> key.situation().scenario())
        .distinct()
        .flatMap(scenario -> cases(scenario).stream())
        .toList();
  }

  /** The cases of {@code scenario}: by number if they have one, else as they came. */
  List<Case> cases(String scenario) {
    return rounds.keySet().stream()
        .map(Key::situation)
        .filter(situation -> situation.scenario().equals(scenario))
        .distinct()
        .sorted(Comparator.comparingDouble(Case::number))
        .toList();
  }

  /** What was measured in {@code situation}. */
  Set<Metric> metrics(Case situation) {
    return rounds.keySet().stream()
        .filter(key -> key.situation().equals(situation))
        .map(Key::metric)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  Optional<Figure> find(Case situation, Entrant entrant, Metric metric) {
    return find(situation, entrant.id(), metric);
  }

  /** What the one that all are compared with reached. */
  Optional<Figure> reference(Case situation, Metric metric) {
    return find(situation, Entrant.REFERENCE, metric);
  }

  /** What our log layout reached. */
  Optional<Figure> log(Case situation, Metric metric) {
    return find(situation, Entrant.LOG, metric);
  }

  private Optional<Figure> find(Case situation, String contender, Metric metric) {
    return figure(of(situation, contender, metric).values());
  }

  /**
   * What a contender reached in {@code situation}, divided by what it reached in {@code base} in
   * the same round: the machine is not the same at all times, but is more so within a round.
   */
  Optional<Figure> ratio(Case situation, Case base, Entrant entrant, Metric metric) {
    Map<Integer, Double> bases = of(base, entrant.id(), metric);
    return figure(
        of(situation, entrant.id(), metric).entrySet().stream()
            .map(it -> Metric.ratio(it.getValue(), bases.getOrDefault(it.getKey(), 0.0)))
            .flatMap(ratio -> ratio.stream().boxed())
            .toList());
  }

  /** What a contender reached in each round. */
  Map<Integer, Double> rounds(Case situation, Entrant entrant, Metric metric) {
    return of(situation, entrant.id(), metric);
  }

  private Map<Integer, Double> of(Case situation, String contender, Metric metric) {
    return rounds.getOrDefault(new Key(situation, contender, metric), Map.of());
  }

  private static Optional<Figure> figure(Collection<Double> rounds) {
    return rounds.isEmpty() ? Optional.empty() : Optional.of(Figure.of(rounds));
  }

  /**
   * Those of whom something was measured in {@code situation}: the best by {@code metric} first,
   * those without it and then the limits last.
   */
  List<Entrant> ranked(Case situation, Metric metric) {
    return rounds.keySet().stream()
        .filter(key -> key.situation().equals(situation))
        .map(key -> Objects.requireNonNull(entrants.get(key.contender())))
        .distinct()
        .sorted(
            Comparator.comparing((Entrant entrant) -> entrant.kind() == Entrant.Kind.LIMIT)
                .thenComparingDouble(entrant -> badness(situation, entrant, metric))
                .thenComparing(Entrant::id))
        .toList();
  }

  /** As ranked in the first case, followed by who was only in others. */
  List<Entrant> ranked(List<Case> cases, Metric metric) {
    return cases.stream()
        .flatMap(situation -> ranked(situation, metric).stream())
        .distinct()
        .toList();
  }

  private double badness(Case situation, Entrant entrant, Metric metric) {
    return find(situation, entrant, metric)
        .map(figure -> metric.isHigherBetter() ? -figure.median() : figure.median())
        .orElse(Double.MAX_VALUE);
  }

  private record Key(Case situation, String contender, Metric metric) {}
}
