package dev.postcommit.testkit.explorer;

import dev.postcommit.testkit.explorer.scenario.Scenario;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server that runs only the steps of one explorer at a time, and does not wait for the disk. It
 * is not shared because transaction ids are: with those of other runs between its own, a schedule
 * would not read the same twice.
 *
 * <p>Creating a database takes longer than dozens of runs, so a server keeps some for the next
 * scenario that needs the same tables.
 */
final class ExplorerServer {
  private static final int MOST_KEPT = 3;

  private static final Deque<ExplorerServer> IDLE = new ArrayDeque<>();

  private final PostgresServer server;
  private final Map<String, PostgresDatabase> templates = new HashMap<>();
  private final Deque<RunDatabase> kept = new ArrayDeque<>();

  private ExplorerServer(PostgresServer server) {
    this.server = server;
  }

  /** A server that nobody else uses until it is {@linkplain #giveBack given back}. */
  static ExplorerServer take() {
    synchronized (IDLE) {
      ExplorerServer idle = IDLE.pollFirst();
      if (idle != null) {
        return idle;
      }
    }
    PostgresServer started =
        PostgresServer.builder()
            .setting("autovacuum", "off")
            .setting("fsync", "off")
            .setting("synchronous_commit", "off")
            .setting("full_page_writes", "off")
            .setting("deadlock_timeout", "50ms")
            .setting("max_prepared_transactions", "20")
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(started::close));
    return new ExplorerServer(started);
  }

  void giveBack() {
    synchronized (IDLE) {
      IDLE.addFirst(this);
    }
  }

  /** A new database, or one that was kept. */
  RunDatabase openDatabase(Scenario scenario) throws SQLException {
    if (scenario.leavesTablesAlone()) {
      for (Iterator<RunDatabase> all = kept.iterator(); all.hasNext(); ) {
        RunDatabase database = all.next();
        if (database.schema().equals(scenario.schema())) {
          all.remove();
          return database;
        }
      }
    }
    return new RunDatabase(scenario.schema(), createDatabase(scenario));
  }

  /** Keeps a database for another scenario, if this one allows it. */
  void leaveDatabase(RunDatabase left, Scenario scenario) throws SQLException {
    // A database with prepared transactions cannot be dropped.
    scenario.reset(left.maintenance());
    @Nullable RunDatabase closed = left;
    if (scenario.leavesTablesAlone()) {
      kept.addFirst(left);
      closed = kept.size() > MOST_KEPT ? kept.removeLast() : null;
    }
    if (closed != null) {
      closed.close();
    }
  }

  /** Creates a database from a template that scenarios of the same schema share. */
  private PostgresDatabase createDatabase(Scenario scenario) throws SQLException {
    if (scenario.schema().isEmpty()) {
      PostgresDatabase database = server.createDatabase();
      scenario.create(database.dataSource());
      return database;
    }
    PostgresDatabase template = templates.get(scenario.schema());
    if (template == null) {
      template = server.createDatabase();
      scenario.create(template.dataSource());
      templates.put(scenario.schema(), template);
    }
    return server.createDatabase(template);
  }
}
