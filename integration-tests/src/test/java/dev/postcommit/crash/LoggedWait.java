package dev.postcommit.crash;

import static org.awaitility.Awaitility.await;

import dev.postcommit.testkit.process.ChildProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.core.ConditionTimeoutException;

/** Waits for what processes are to bring about, and shows their logs if they do not. */
final class LoggedWait {
  static final Duration LONG = Duration.ofMinutes(3);

  private LoggedWait() {}

  /**
   * Waits until a condition is true.
   *
   * @param what names it, for the failure
   * @param processes those that are to bring it about, some of which may have ended
   */
  static void until(
      String what, Duration pollInterval, List<ChildProcess> processes, Callable<Boolean> holds) {
    try {
      await(what).atMost(LONG).pollInterval(pollInterval).until(holds);
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("not within %s: %s%n%s".formatted(LONG, what, logs(processes)), e);
    }
  }

  /** What processes have written. */
  static String logs(List<ChildProcess> processes) {
    StringBuilder logs = new StringBuilder();
    for (ChildProcess process : processes) {
      logs.append(process.pid())
          .append(process.alive() ? ", running:\n" : ", ended:\n")
          .append(process.output());
    }
    return logs.toString();
  }
}
