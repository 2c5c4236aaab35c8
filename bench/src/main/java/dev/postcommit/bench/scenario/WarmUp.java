package dev.postcommit.bench.scenario;

import dev.postcommit.bench.contender.Keys;
import dev.postcommit.bench.measure.Backlog;
import dev.postcommit.bench.measure.Bench;
import dev.postcommit.bench.measure.ContenderException;
import dev.postcommit.bench.measure.ContenderProcess;
import dev.postcommit.bench.measure.Entrant;
import dev.postcommit.bench.measure.Progress;
import dev.postcommit.bench.measure.Sizes;
import java.util.List;

/**
 * Warms up the JVMs of contenders, broker and driver: each contender gets a load and, unless time
 * is short, drains a backlog.
 */
public final class WarmUp {
  /** Small, so that little is written for slow contenders. */
  private static final int FIRST_EVENTS = 5_000;

  private final Bench bench;
  private final Progress progress;

  public WarmUp(Bench bench, Progress progress) {
    this.bench = bench;
    this.progress = progress;
  }

  public void run(List<ContenderProcess> contenders) throws Exception {
    for (ContenderProcess contender : contenders) {
      progress.say("warming up " + contender.entrant().id());
      try {
        warmUp(contender);
      } catch (ContenderException e) {
        progress.failed("warm-up", contender.entrant(), e);
      }
    }
  }

  private void warmUp(ContenderProcess contender) throws Exception {
    Sizes sizes = bench.sizes();
    if (!sizes.isQuick() && !contender.entrant().id().equals(Entrant.PLAIN_INSERT)) {
      Backlog second = sizes.smallBacklog();
      bench.drain(contender, new Backlog(FIRST_EVENTS, second.limit()), Keys.SPREAD);
      bench.drain(contender, second, Keys.SPREAD);
    }
    if (contender.entrant().isMainOrPeer()) {
      bench.warmUp(contender);
    }
  }
}
