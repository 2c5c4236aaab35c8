package dev.postcommit.testkit.process;

/** The signals the testkit sends. */
public enum Signal {
  /** Ends a process at once; it cannot be caught. */
  KILL,
  /** Asks a process to end. */
  TERM,
  /** Asks Postgres to end its sessions and shut down cleanly. */
  INT,
  /** Asks Postgres to stop at once, without a checkpoint. */
  QUIT,
  /** Freezes a process. */
  STOP,
  /** Lets a frozen process go on. */
  CONT
}
