package dev.postcommit.testkit.explorer.scheduler;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells which sessions wait for a lock, and ends sessions. Safe for use by many threads. */
public final class Locks implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Session session;
  private final PreparedStatement waiting;
  private final PreparedStatement terminate;
  private final PreparedStatement isThere;

  public Locks(String url, String user) throws SQLException {
    session = Session.open(url, user);
    // Locks are granted by those who release them, so there is no moment in which a session that
    // can go on is still listed.
    waiting =
        session
            .connection()
            .prepareStatement("SELECT pid FROM pg_locks WHERE NOT granted AND pid IS NOT NULL");
    terminate = session.connection().prepareStatement("SELECT pg_terminate_backend(?)");
    isThere =
        session
            .connection()
            .prepareStatement(
                """
                SELECT concat_ws(' ', state, wait_event_type, wait_event, query)
                FROM pg_stat_activity WHERE pid = ?""");
    // The driver's timer is a thread, which would otherwise be taken for one of the actor whose
    // statement is the first to have a timeout. It lasts as long as this session.
    isThere.setQueryTimeout(2 * TIMEOUT.toSecondsPart());
    isThere.setInt(1, session.pid());
    activity();
  }

  /** The processes of sessions that wait. */
  synchronized Set<Integer> waiting() throws SQLException {
    Set<Integer> pids = new HashSet<>();
    try (ResultSet row = waiting.executeQuery()) {
      while (row.next()) {
        pids.add(row.getInt(1));
      }
    }
    return pids;
  }

  /** Ends a session and waits until its locks are free. */
  synchronized void end(Session ended) throws SQLException {
    if (ended.hasEnded()) {
      return;
    }
    ended.ended();
    terminate.setInt(1, ended.pid());
    terminate.executeQuery().close();
    isThere.setInt(1, ended.pid());
    Patience patience = new Patience(TIMEOUT);
    @Nullable String activity = activity();
    while (activity != null) {
      if (patience.isOver()) {
        throw new SQLException("session " + ended.pid() + " did not end: " + activity);
      }
      Thread.onSpinWait();
      activity = activity();
    }
  }

  /** What a session does; null if it is not there. */
  private @Nullable String activity() throws SQLException {
    try (ResultSet row = isThere.executeQuery()) {
      return row.next() ? row.getString(1) : null;
    }
  }

  @Override
  public void close() {
    session.close();
  }
}
