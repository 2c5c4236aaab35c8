package dev.postcommit.bench.scenario;

import dev.postcommit.bench.contender.Keys;
import dev.postcommit.bench.measure.Bench;
import dev.postcommit.bench.measure.ContenderProcess;
import dev.postcommit.bench.measure.Progress;
import java.util.List;
import java.util.Locale;

/**
 * Measures how fast a backlog is delivered whose events have few keys, one key, or mostly a few
 * keys.
 */
final class KeysScenario extends BacklogScenario {
  KeysScenario(Bench bench, Progress progress) {
    super("keys", bench, progress);
  }

  @Override
  void ask(ContenderProcess contender, int round) throws Exception {
    List<Keys> shapes = sizes().isQuick() ? List.of(Keys.SPREAD, Keys.HOT) : List.of(Keys.values());
    for (Keys keys : shapes) {
      String variant = keys.name().toLowerCase(Locale.ROOT);
      if (!isSlow(contender, variant)) {
        contender.reset();
        drain(contender, variant, sizes().smallBacklog(), keys, round);
      }
    }
  }
}
