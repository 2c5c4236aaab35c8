package dev.postcommit.testkit.explorer.scenario;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A few concurrent actors and the promises that must hold at the end, whatever the order of their
 * steps.
 *
 * <p>Used by one thread at a time. {@link #begin} starts a new run.
 */
public interface Scenario {

  /** Returns a short name. */
  String name();

  /**
   * Names the schema that {@link #create} creates. Scenarios that return the same name share it; an
   * empty name is not shared.
   */
  default String schema() {
    return "";
  }

  /**
   * Whether another scenario with the same {@link #schema} may reuse the database after a reset.
   * True if no run alters a table, and sessions run only the product's own statements.
   */
  default boolean leavesTablesAlone() {
    return false;
  }

  /** Creates the schema, once. */
  void create(DataSource database) throws SQLException;

  /** Empties the tables before each run. */
  void reset(Connection connection) throws SQLException;

  /**
   * Returns whether the same steps always give the same run. They do not if actors have threads of
   * their own, with timers. Such a scenario suits only random searches, and a failure has a script
   * but no number to play it again.
   */
  default boolean isRepeatable() {
    return true;
  }

  /** Starts a run by adding its actors to {@code stage}. */
  Play begin(Stage stage) throws SQLException;

  /** One run of a scenario, after its actors have ended. */
  interface Play {

    /** Delivers what is left. */
    void finish() throws Exception;

    /**
     * Checks the promises.
     *
     * @throws Violation if one is broken
     */
    void check() throws Exception;

    /** Describes how the run ended. Runs that differ only in commuting steps end alike. */
    String result();
  }
}
