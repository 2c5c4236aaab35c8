package dev.postcommit.testkit.explorer;

import dev.postcommit.testkit.explorer.scenario.Scenario;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The server of explorers: it runs only their steps, and does not wait for the disk. */
final class ExplorerServer {
  private static @Nullable PostgresServer shared;

  private static final Map<String, PostgresDatabase> TEMPLATES = new HashMap<>();

  private ExplorerServer() {}

  /** Creates a database for a scenario, from a template that scenarios of the same schema share. */
  static synchronized PostgresDatabase createDatabase(Scenario scenario) throws SQLException {
    PostgresServer server = shared();
    if (scenario.schema().isEmpty()) {
      PostgresDatabase database = server.createDatabase();
      scenario.create(database.dataSource());
      return database;
    }
    PostgresDatabase template = TEMPLATES.get(scenario.schema());
    if (template == null) {
      template = server.createDatabase();
      scenario.create(template.dataSource());
      TEMPLATES.put(scenario.schema(), template);
    }
    return server.createDatabase(template);
  }

  static synchronized PostgresServer shared() {
    if (shared == null) {
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
      shared = started;
    }
    return shared;
  }
}
