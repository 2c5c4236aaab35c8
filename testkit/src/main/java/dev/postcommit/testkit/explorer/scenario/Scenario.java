package dev.postcommit.testkit.explorer.scenario;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A small story to be played in every order: who takes part, and what has to hold at the end.
 *
 * <p>A scenario is used by one thread at a time; {@link #begin} makes a new play of it.
 */
public interface Scenario {

  /** A short name. */
  String name();

  /**
   * Names what {@link #create} makes, if it is to be made once for all scenarios that name the
   * same; empty to make it for each.
   */
  default String schema() {
    return "";
  }

  /**
   * Whether runs of other scenarios of its {@link #schema} may follow in the same database once it
   * is reset: it alters no table, and no statement that is not the product's own runs in a session.
   */
  default boolean leavesTablesAlone() {
    return false;
  }

  /** Creates what the database needs, once. */
  void create(DataSource database) throws SQLException;

  /** Empties it before each run. */
  void reset(Connection connection) throws SQLException;

  /**
   * Whether a run that makes the same steps is the same run. It is not if actors have threads of
   * their own, whose timers fire when they do: such a scenario is for random searches, and of a
   * failure there is a script, but no number that plays it again.
   */
  default boolean isRepeatable() {
    return true;
  }

  /** Puts the actors of a run on stage. */
  Play begin(Stage stage) throws SQLException;

  /** What is to be done when all actors of a run have ended. */
  interface Play {

    /** Lets everything run to its end. */
    void finish() throws Exception;

    /**
     * Checks what has to hold then.
     *
     * @throws Violation if it does not
     */
    void check() throws Exception;

    /** How the run ended, for comparisons: runs that differ only in commuting steps end alike. */
    String result();
  }
}
