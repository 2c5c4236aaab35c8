package dev.postcommit.bench.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an event adds to a transaction, the relay being stopped. */
final class EnqueueScenario extends Scenario {
  private static final List<Integer> WRITERS = List.of(1, 8);

  EnqueueScenario(Bench bench, Progress progress) {
    super("enqueue", bench, progress);
  }

  @Override
  boolean asks(Entrant entrant) {
    return entrant.kind() != Entrant.Kind.LIMIT;
  }

  @Override
  void ask(ContenderProcess contender, int round) {
    for (int writers : WRITERS) {
      contender.reset();
      double[] measured =
          contender.overhead(bench().nextRun(), sizes().bytes(), writers, sizes().overheadMillis());
      Map<String, Double> metrics = new LinkedHashMap<>();
      metrics.put("plain_us", measured[0]);
      metrics.put("with_us", measured[1]);
      metrics.put("added_us", measured[1] - measured[0]);
      metrics.put("plain_per_second", measured[2]);
      metrics.put("with_per_second", measured[3]);
      note(
          Integer.toString(writers),
          contender,
          round,
          metrics,
          "%,.0f us without an event, %,.0f us more with one; %,.0f/s, %,.0f/s"
              .formatted(measured[0], measured[1] - measured[0], measured[2], measured[3]));
    }
  }
}
