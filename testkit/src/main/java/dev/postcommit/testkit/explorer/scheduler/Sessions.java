package dev.postcommit.testkit.explorer.scheduler;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The idle sessions of one actor. They are kept from run to run, with their prepared statements.
 */
public final class Sessions implements AutoCloseable {
  private final String url;
  private final String user;
  private final Deque<Session> idle = new ArrayDeque<>();

  public Sessions(String url, String user) {
    this.url = url;
    this.user = user;
  }

  /** Returns a usable session. */
  public Session take() throws SQLException {
    @Nullable Session session = next();
    while (session != null && !session.isUsable()) {
      session.close();
      session = next();
    }
    return session == null ? Session.open(url, user) : session;
  }

  private synchronized @Nullable Session next() {
    return idle.pollFirst();
  }

  /** Ends the transaction of a session; returns whether it can be used again. */
  public static boolean clean(Session session) {
    try {
      if (!session.isUsable()) {
        session.close();
        return false;
      }
      if (!session.connection().getAutoCommit()) {
        session.connection().rollback();
        session.connection().setAutoCommit(true);
      }
      return true;
    } catch (SQLException e) {
      session.close();
      return false;
    }
  }

  /** Takes a session back. */
  public synchronized void add(Session session) {
    idle.addFirst(session);
  }

  @Override
  public synchronized void close() {
    idle.forEach(Session::close);
    idle.clear();
  }
}
