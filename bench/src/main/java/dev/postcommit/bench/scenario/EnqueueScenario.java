package dev.postcommit.bench.scenario;

import dev.postcommit.bench.measure.Bench;
import dev.postcommit.bench.measure.ContenderProcess;
import dev.postcommit.bench.measure.Entrant;
import dev.postcommit.bench.measure.Progress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures what an event adds to a transaction while the relay is stopped.
 *
 * <p>In each round contenders take several turns of less than a second, so that a disturbance of
 * seconds affects all of them. The result of a round is the median of its turns.
 */
final class EnqueueScenario extends Scenario {
  private static final List<Integer> WRITERS = List.of(1, 8);

  /** The metrics that {@link ContenderProcess#overhead} returns. */
  private static final List<String> METRICS =
      List.of("plain_us", "with_us", "added_us", "plain_per_second", "with_per_second");

  EnqueueScenario(Bench bench, Progress progress) {
    super("enqueue", bench, progress);
  }

  @Override
  public int rounds(Entrant entrant) {
    return entrant.isMinor() ? sizes().fewerRounds() : super.rounds(entrant);
  }

  @Override
  void ask(ContenderProcess contender, int round) throws Exception {
    ask(List.of(contender), round);
  }

  @Override
  public void ask(List<ContenderProcess> contenders, int round) throws Exception {
    for (int writers : WRITERS) {
      Map<ContenderProcess, List<double[]>> turns = new LinkedHashMap<>();
      for (ContenderProcess contender : contenders) {
        if (attempt(contender, contender::reset)) {
          turns.put(contender, new ArrayList<>());
        }
      }
      for (int turn = 0; turn < sizes().enqueueTurns(); turn++) {
        for (Map.Entry<ContenderProcess, List<double[]>> entry : turns.entrySet()) {
          ContenderProcess contender = entry.getKey();
          attempt(
              contender,
              () ->
                  entry
                      .getValue()
                      .add(contender.overhead(bench().nextRun(), sizes().bytes(), writers)));
        }
      }
      turns.forEach((contender, measured) -> note(contender, writers, round, measured));
    }
  }

  private void note(ContenderProcess contender, int writers, int round, List<double[]> turns) {
    if (turns.isEmpty()) {
      return;
    }
    Map<String, Double> medians = new LinkedHashMap<>();
    for (int i = 0; i < METRICS.size(); i++) {
      int index = i;
      medians.put(METRICS.get(i), median(turns.stream().map(turn -> turn[index]).toList()));
    }
    note(
        Integer.toString(writers),
        contender,
        round,
        medians,
        "%,.0f us without an event, %,.0f us more with one"
            .formatted(medians.get("plain_us"), medians.get("added_us")));
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }
}
