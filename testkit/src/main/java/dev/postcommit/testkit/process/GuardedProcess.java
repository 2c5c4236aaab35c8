package dev.postcommit.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A process started by a {@link Guard}. */
public final class GuardedProcess {

  private static final Duration END_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(1);
  private static final int TAIL_LINES = 40;

  private final String name;
  private final Process process;
  private final Path output;

  GuardedProcess(String name, Process process, Path output) {
    this.name = name;
    this.process = process;
    this.output = output;
  }

  long pid() {
    return process.pid();
  }

  public boolean alive() {
    return process.isAlive();
  }

  Path output() {
    return output;
  }

  /** The last lines of what the process has written. */
  public String outputTail() {
    try {
      List<String> lines =
          new String(Files.readAllBytes(output), StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return "(no output: " + e + ")";
    }
  }

  /** Does nothing if the process has ended. */
  void signal(Signal signal) {
    String pid = Long.toString(pid());
    boolean sent = !alive() || Shell.succeeds("kill -\"$1\" \"$2\"", signal.name(), pid);
    // A process that is gone may appear alive a moment longer.
    if (!sent && !awaitExit(END_TIMEOUT)) {
      throw new IllegalStateException("Could not send " + signal + " to " + name + ", pid " + pid);
    }
  }

  /**
   * Freezes the process and returns when all its threads have stopped, where the system reports
   * that; the signal only starts it.
   */
  void freeze() {
    signal(Signal.STOP);
    long deadline = System.nanoTime() + END_TIMEOUT.toNanos();
    while (alive() && !standsStill()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(name + " did not freeze, pid " + pid());
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  private boolean standsStill() {
    try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid()), "task"))) {
      return threads.allMatch(GuardedProcess::isStopped);
    } catch (IOException | UncheckedIOException e) {
      return true; // another system, or the process is gone
    }
  }

  private static boolean isStopped(Path thread) {
    try {
      String state = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
      return state.startsWith(" T", state.lastIndexOf(')') + 1);
    } catch (IOException e) {
      return true; // it has ended
    }
  }

  /** Sends {@code signal}, and SIGKILL if the process has not ended after {@code patience}. */
  public void end(Signal signal, Duration patience) {
    signal(signal);
    if (signal != Signal.KILL) {
      // A frozen process would never receive it.
      signal(Signal.CONT);
    }
    if (!awaitExit(patience)) {
      signal(Signal.KILL);
      if (!awaitExit(END_TIMEOUT)) {
        throw new IllegalStateException(name + " did not end, pid " + pid());
      }
    }
  }

  public void kill() {
    end(Signal.KILL, END_TIMEOUT);
  }

  /** Returns whether the process ended within {@code timeout}. */
  public boolean awaitExit(Duration timeout) {
    try {
      return process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for the end of " + name, e);
    }
  }

  int exitCode() {
    return process.exitValue();
  }
}
