package dev.postcommit.bench.run;

import dev.postcommit.bench.contender.Keys;
import java.util.Locale;

/** How fast a backlog is delivered whose events are of one key, or of few for the most part. */
final class KeysScenario extends Scenario {
  KeysScenario(Bench bench, Progress progress) {
    super("keys", bench, progress);
  }

  @Override
  boolean asks(Entrant entrant) {
    return entrant.isReferenceOrPeer();
  }

  /** One less than elsewhere: each takes long. */
  @Override
  int rounds() {
    return Math.max(1, sizes().rounds() - 1);
  }

  @Override
  void ask(ContenderProcess contender, int round) throws Exception {
    for (Keys keys : Keys.values()) {
      Drained drained =
          bench().drain(contender, sizes().smallBacklog(), keys, sizes().smallLimit());
      note(
          keys.name().toLowerCase(Locale.ROOT),
          contender,
          round,
          drained.metrics(),
          drained.text());
    }
  }
}
