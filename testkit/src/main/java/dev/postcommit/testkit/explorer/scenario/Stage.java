package dev.postcommit.testkit.explorer.scenario;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** Where a run takes place: adds its actors, and gives them connections whose use is a step. */
public interface Stage {

  /** Adds an actor; it begins when the run does. */
  Role actor(String name, Part part);

  /**
   * Adds an actor that has threads besides its own. Each of them is scheduled by itself, and a step
   * has ended when none of them does anything but wait. Such a run depends on more than its
   * schedule: it is for random searches.
   */
  Role actorWithThreads(String name, Part part);

  /** A connection that is not watched, for setting up and for checks. */
  Connection unwatched() throws SQLException;

  /** Connections that are not watched. */
  DataSource unwatchedConnections();

  /** Numbers that are the same whenever the run is repeated. */
  long seed();

  /** What an actor does. */
  @FunctionalInterface
  interface Part {

    /** Plays the part. An exception that it throws fails the run. */
    void play(Role self) throws Exception;
  }

  /** An actor, as seen by its own part and by others who do something to it. */
  interface Role {

    /** Its name. */
    String name();

    /** Its connections: each statement sent over them is a step. */
    DataSource connections();

    /** The same, with statements changed before they are sent: to show what a fault would do. */
    DataSource connections(UnaryOperator<String> mutation);

    /**
     * A step of its own, on something outside of the database.
     *
     * @param channel what is used; steps on different channels commute
     */
    void step(String channel, String text);

    /** A step that may concern everybody. */
    void step(String text);

    /** Has something done, once, at the moment at which its next step begins. */
    void atNextStep(Runnable action);

    /** Ends this actor where it is, with its sessions, as the end of its process would. */
    void kill() throws SQLException;

    /**
     * Goes no further if the current thread is one of several of this actor, and it was killed: to
     * be asked now and then by parts that do so without steps.
     */
    void requireAlive();

    /** Ends its sessions. */
    void cutOff() throws SQLException;

    /** Adds a line to the script that is printed when a run fails. */
    void note(String text);
  }
}
