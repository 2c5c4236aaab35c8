package dev.postcommit.testkit.explorer.scenario;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** The environment of a run: adds actors, and gives them connections whose statements are steps. */
public interface Stage {

  /** Adds an actor, which starts with the run. */
  Role actor(String name, Part part);

  /**
   * Adds an actor that has several threads. Each of them is scheduled separately, and a step ends
   * when all of them wait. Such a run depends on more than its schedule, so it suits only random
   * searches.
   */
  Role actorWithThreads(String name, Part part);

  /** Returns a connection whose statements are not steps, for setup and checks. */
  Connection unwatched() throws SQLException;

  /** Returns a source of connections whose statements are not steps. */
  DataSource unwatchedConnections();

  /** Returns random numbers that are the same whenever the run is repeated. */
  long seed();

  /** The code of an actor. */
  @FunctionalInterface
  interface Part {

    /** Runs the actor. An exception fails the run. */
    void play(Role self) throws Exception;
  }

  /** An actor, as seen by its own code and by other actors. */
  interface Role {

    /** Returns its name. */
    String name();

    /** Returns its connections, whose statements are steps. */
    DataSource connections();

    /**
     * Does the same, but changes statements before they are sent, to show what a fault would do.
     */
    DataSource connections(UnaryOperator<String> mutation);

    /**
     * Makes a step outside the database.
     *
     * @param channel the resource it uses; steps on different channels commute
     */
    void step(String channel, String text);

    /** Makes a step that commutes with no other. */
    void step(String text);

    /** Runs an action once, at the moment when its next step begins. */
    void atNextStep(Runnable action);

    /** Ends this actor and its sessions at once, as if its process died. */
    void kill() throws SQLException;

    /**
     * Ends the current thread if it belongs to this actor and the actor was killed. Code that makes
     * no steps calls this from time to time.
     */
    void requireAlive();

    /** Ends its sessions. */
    void cutOff() throws SQLException;

    /** Adds a line to the script that is printed when a run fails. */
    void note(String text);
  }
}
