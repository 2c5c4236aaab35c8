package dev.postcommit.testkit.explorer;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one actor, whose statements are steps. Sessions are kept from run to run, so
 * that what they have prepared is of use again.
 */
final class ActorConnections extends Connections implements AutoCloseable {
  private final String url;
  private final String user;
  private final Deque<Session> idle = new ArrayDeque<>();
  private @Nullable Actor actor;
  private UnaryOperator<String> mutation = UnaryOperator.identity();

  ActorConnections(String url, String user) {
    this.url = url;
    this.user = user;
  }

  /** Begins a run. */
  synchronized void begin(Actor current, UnaryOperator<String> texts) {
    this.actor = current;
    this.mutation = texts;
  }

  @Override
  public Connection getConnection() throws SQLException {
    Actor current;
    Session session;
    synchronized (this) {
      current = actor;
      session = idle.pollFirst();
    }
    if (current == null) {
      throw new SQLException("there is no run");
    }
    while (session != null && !session.isUsable()) {
      session.close();
      synchronized (this) {
        session = idle.pollFirst();
      }
    }
    if (session == null) {
      session = Session.open(url, user);
    }
    current.sessions().add(session);
    return new GatedConnection(current, session, mutation, this::back).proxy();
  }

  /** Takes a session back, without its transaction. */
  private void back(Actor user, Session session) {
    try {
      if (!session.isUsable()) {
        session.close();
        return;
      }
      if (!session.connection().getAutoCommit()) {
        session.connection().rollback();
        session.connection().setAutoCommit(true);
      }
      user.sessions().remove(session);
      synchronized (this) {
        idle.addFirst(session);
      }
    } catch (SQLException e) {
      session.close();
    }
  }

  @Override
  public synchronized void close() {
    idle.forEach(Session::close);
    idle.clear();
  }
}
