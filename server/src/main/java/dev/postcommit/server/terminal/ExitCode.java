package dev.postcommit.server.terminal;

/** The exit codes of commands. */
public final class ExitCode {

  /** Success. */
  public static final int OK = 0;

  /** The operation failed; for example, the database is unreachable or a check failed. */
  public static final int FAILED = 1;

  /** Wrong usage or settings; nothing was done. */
  public static final int USAGE = 2;

  /** Interrupted by Ctrl-C. */
  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}
