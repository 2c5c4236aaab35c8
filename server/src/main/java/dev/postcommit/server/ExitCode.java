package dev.postcommit.server;

/** What a command tells its caller. */
final class ExitCode {

  /** All is well. */
  static final int OK = 0;

  /** The operation failed, as when the database cannot be reached or a check does not hold. */
  static final int FAILED = 1;

  /** The command or its settings are wrong; nothing was done. */
  static final int USAGE = 2;

  /** Ended by Ctrl-C before it was done. */
  static final int INTERRUPTED = 130;

  private ExitCode() {}
}
