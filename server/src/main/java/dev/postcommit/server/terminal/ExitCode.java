package dev.postcommit.server.terminal;

/** What a command tells its caller. */
public final class ExitCode {

  /** All is well. */
  public static final int OK = 0;

  /** The operation failed, as when the database cannot be reached or a check does not hold. */
  public static final int FAILED = 1;

  /** The command or its settings are wrong; nothing was done. */
  public static final int USAGE = 2;

  /** Ended by Ctrl-C before it was done. */
  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}
