package dev.postcommit.testkit.explorer;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.UnaryOperator;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one actor, whose statements are steps. Sessions are kept from run to run, so
 * that what they have prepared is of use again.
 */
final class ActorConnections implements DataSource, AutoCloseable {
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
    if (session == null || session.connection().isClosed()) {
      session = Session.open(url, user);
    }
    current.sessions().add(session);
    return new GatedConnection(current, session, mutation, this::back).proxy();
  }

  /** Takes a session back, without its transaction. */
  private void back(Actor user, Session session) {
    try {
      if (session.connection().isClosed()) {
        return;
      }
      if (session.isEnded().get()) {
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
  public Connection getConnection(String username, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("not a wrapper for " + type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public synchronized void close() {
    idle.forEach(Session::close);
    idle.clear();
  }
}
