package dev.postcommit.server.relay;

import dev.postcommit.server.table.Texts;
import dev.postcommit.support.Daemons;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks once a second, on its own thread, whether something can be used, and logs changes. */
final class ReadinessProbe implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ReadinessProbe.class);

  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /** After this time without an answer, it counts as not answering. */
  private static final Duration PATIENCE = Duration.ofSeconds(4);

  /** The result of a check, and when that began. */
  private record Finding(Optional<String> problem, long at) {}

  private final String what;
  private final Supplier<Optional<String>> question;
  private final Runnable onRecovery;
  private final ScheduledExecutorService thread;
  private volatile Finding last;
  private boolean isLost;
  private volatile boolean closed;

  /**
   * A probe that has not started yet.
   *
   * @param onRecovery runs when it can be used again
   */
  ReadinessProbe(String what, Supplier<Optional<String>> question, Runnable onRecovery) {
    this.what = what;
    this.question = question;
    this.onRecovery = onRecovery;
    this.thread = Executors.newSingleThreadScheduledExecutor(Daemons.named("postcommit-" + what));
    this.last = new Finding(Optional.of("the " + what + " was not asked yet"), System.nanoTime());
  }

  void start() {
    var unused =
        thread.scheduleWithFixedDelay(this::ask, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void ask() {
    long at = System.nanoTime();
    Optional<String> problem;
    try {
      problem = question.get().map(Texts::printable);
    } catch (RuntimeException e) {
      problem = Optional.of(Texts.printable(String.valueOf(e)));
    }
    Optional<String> before = last.problem();
    last = new Finding(problem, at);
    if (closed) {
      // The check was interrupted, so its result means nothing.
      return;
    }
    if (problem.isPresent() && !isLost) {
      isLost = true;
      log.warn("not ready, the {} does not answer: {}", what, problem.get());
    } else if (problem.isEmpty() && isLost) {
      isLost = false;
      log.info("the {} answers", what);
    }
    if (problem.isEmpty() && before.isPresent()) {
      onRecovery.run();
    }
  }

  /** Why it cannot be used, if it cannot, as of the last check. */
  Optional<String> problem() {
    Finding finding = last;
    Duration age = Duration.ofNanos(System.nanoTime() - finding.at());
    return finding.problem().isEmpty() && age.compareTo(PATIENCE) > 0
        ? Optional.of("the " + what + " has not answered for " + age.toSeconds() + " s")
        : finding.problem();
  }

  @Override
  public void close() {
    closed = true;
    thread.shutdownNow();
  }
}
