package dev.postcommit.testkit.explorer;

import dev.postcommit.testkit.explorer.scenario.Scenario;
import dev.postcommit.testkit.explorer.scheduler.Locks;
import dev.postcommit.testkit.explorer.scheduler.Session;
import dev.postcommit.testkit.explorer.scheduler.Sessions;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * A database in which runs take place one after the other, with the sessions of their actors. To
 * make one takes longer than dozens of runs, so some are kept for the next scenario that needs the
 * same tables.
 */
final class RunDatabase implements AutoCloseable {
  private static final int MOST_KEPT = 3;

  /** After so many runs what they left behind is cleaned up. */
  private static final int CLEAN_UP = 250;

  private static final Deque<RunDatabase> KEPT = new ArrayDeque<>();

  private final String schema;
  private final PostgresDatabase database;
  private final Locks locks;
  private final Connection maintenance;
  private final Map<String, Sessions> sessions = new HashMap<>();
  private int runs;

  private RunDatabase(Scenario scenario) throws SQLException {
    schema = scenario.schema();
    database = ExplorerServer.createDatabase(scenario);
    locks = new Locks(database.jdbcUrl(), database.username());
    maintenance = Session.open(database.jdbcUrl(), database.username()).connection();
  }

  /** A new one, or one that was kept. */
  static RunDatabase of(Scenario scenario) throws SQLException {
    if (scenario.leavesTablesAlone()) {
      synchronized (KEPT) {
        for (Iterator<RunDatabase> all = KEPT.iterator(); all.hasNext(); ) {
          RunDatabase kept = all.next();
          if (kept.schema.equals(scenario.schema())) {
            all.remove();
            return kept;
          }
        }
      }
    }
    return new RunDatabase(scenario);
  }

  /** Keeps it for another scenario, if this one allows it. */
  void leave(Scenario scenario) throws SQLException {
    // A database with prepared transactions cannot be dropped.
    scenario.reset(maintenance);
    RunDatabase closed = this;
    if (scenario.leavesTablesAlone()) {
      synchronized (KEPT) {
        KEPT.addFirst(this);
        if (KEPT.size() <= MOST_KEPT) {
          return;
        }
        closed = KEPT.removeLast();
      }
    }
    closed.close();
  }

  /** Makes it ready for the next run. */
  void prepare(Scenario scenario) throws SQLException {
    if (++runs % CLEAN_UP == 0) {
      try (Statement statement = maintenance.createStatement()) {
        statement.execute("VACUUM");
      }
    }
    scenario.reset(maintenance);
  }

  PostgresDatabase database() {
    return database;
  }

  Locks locks() {
    return locks;
  }

  /** A connection that is not watched. */
  Connection maintenance() {
    return maintenance;
  }

  /** The sessions of an actor of this name. */
  Sessions sessions(String actor) {
    return sessions.computeIfAbsent(
        actor, name -> new Sessions(database.jdbcUrl(), database.username()));
  }

  @Override
  public void close() throws SQLException {
    sessions.values().forEach(Sessions::close);
    locks.close();
    maintenance.close();
    database.close();
  }
}
