package dev.postcommit.testkit.process;

import java.nio.file.Path;
import java.time.Duration;

/** A process started by {@link Processes}. */
public interface ChildProcess {

  /** The id the operating system gave it. */
  long pid();

  /** Whether it has not ended; a frozen process has not. */
  boolean alive();

  /**
   * The file that takes its output and its errors; it goes when the processes are closed, unless
   * the process was given one.
   */
  Path outputFile();

  /** What it has written so far. */
  String output();

  /** Asks it to end, by SIGTERM, and does not wait. */
  void terminate();

  /** Ends it at once, by SIGKILL, and returns when it is gone. */
  void kill();

  /** Freezes it, by SIGSTOP. */
  void freeze();

  /** Lets it go on if it is frozen. */
  void thaw();

  /**
   * Waits for its end and returns its exit code.
   *
   * @throws IllegalStateException if it has not ended after {@code timeout}
   */
  int awaitExit(Duration timeout);
}
