package dev.postcommit.testkit.explorer;

import dev.postcommit.testkit.explorer.scenario.Scenario;
import dev.postcommit.testkit.explorer.scheduler.Locks;
import dev.postcommit.testkit.explorer.scheduler.Session;
import dev.postcommit.testkit.explorer.scheduler.Sessions;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/** A database in which runs take place one after the other, with the sessions of their actors. */
final class RunDatabase implements AutoCloseable {
  /** After so many runs what they left behind is cleaned up. */
  private static final int CLEAN_UP = 250;

  private final String schema;
  private final PostgresDatabase database;
  private final Locks locks;
  private final Connection maintenance;
  private final Map<String, Sessions> sessions = new HashMap<>();
  private int runs;

  RunDatabase(String schema, PostgresDatabase database) throws SQLException {
    this.schema = schema;
    this.database = database;
    locks = new Locks(database.jdbcUrl(), database.username());
    maintenance = Session.open(database.jdbcUrl(), database.username()).connection();
  }

  /** The tables that it has. */
  String schema() {
    return schema;
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
