package dev.postcommit.testkit.explorer.gate;

import dev.postcommit.testkit.explorer.scheduler.Actor;
import dev.postcommit.testkit.explorer.scheduler.Session;
import dev.postcommit.testkit.explorer.scheduler.Sessions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.UnaryOperator;

/** The connections of one actor in one run, whose statements are steps. */
public final class ActorConnections extends Connections {
  private final Sessions sessions;
  private final Actor actor;
  private volatile UnaryOperator<String> mutation = UnaryOperator.identity();

  public ActorConnections(Sessions sessions, Actor actor) {
    this.sessions = sessions;
    this.actor = actor;
  }

  /** Changes statements before they are sent, from now on. */
  public ActorConnections with(UnaryOperator<String> texts) {
    mutation = texts;
    return this;
  }

  @Override
  public Connection getConnection() throws SQLException {
    try {
      actor.requireAlive();
    } catch (Actor.GoneException e) {
      throw GatedConnection.gone(e);
    }
    Session session = sessions.take();
    actor.sessions().add(session);
    return new GatedConnection(actor, session, mutation, this::back).proxy();
  }

  private void back(Actor user, Session session) {
    if (Sessions.clean(session)) {
      user.sessions().remove(session);
      sessions.add(session);
    }
  }
}
