package dev.postcommit.testkit.process;

import java.nio.file.Path;
import java.time.Duration;

/** A process started by {@link Processes}. */
public interface ChildProcess {

  /** Returns the process id. */
  long pid();

  /** Returns whether it still runs, or is frozen. */
  boolean alive();

  /**
   * Returns the file with its output and errors. It is deleted when the processes are closed,
   * unless the caller chose it.
   */
  Path outputFile();

  /** Returns what it has written so far. */
  String output();

  /** Sends SIGTERM and does not wait. */
  void terminate();

  /** Sends SIGKILL and returns when the process is gone. */
  void kill();

  /** Freezes it, by SIGSTOP. */
  void freeze();

  /** Continues a frozen process, by SIGCONT. */
  void thaw();

  /**
   * Waits until it ends and returns its exit code.
   *
   * @throws IllegalStateException if it has not ended after {@code timeout}
   */
  int awaitExit(Duration timeout);
}
