package dev.postcommit.internal.jdbc;

/** Tells one run of a server from the next. */
public final class ServerRun {

  /**
   * A number for what transaction ids and sequences were learnt for: the last of them may be given
   * out again after a restart, and after the crash of a session, which the server survives but its
   * statistics do not.
   */
  public static final String EPOCH =
      """
      hashtextextended(concat(extract(epoch FROM pg_postmaster_start_time()), ' ',
            extract(epoch FROM pg_stat_get_bgwriter_stat_reset_time())), 0)""";

  private ServerRun() {}
}
