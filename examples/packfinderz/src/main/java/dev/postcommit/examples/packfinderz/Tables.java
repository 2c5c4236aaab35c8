package dev.postcommit.examples.packfinderz;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** The tables of PackFinderz. */
final class Tables {

  /** The outbox table. */
  static final Layout OUTBOX = Layout.preset("packfinderz");

  private Tables() {}

  /** Creates what is missing: the outbox by Postcommit's migrations, the others by our own. */
  static void migrate(DataSource dataSource) {
    OutboxMigration.migrate(dataSource, OUTBOX);
    Flyway.configure(Tables.class.getClassLoader())
        .dataSource(dataSource)
        .locations("classpath:db/packfinderz")
        .table("packfinderz_history")
        // The outbox is there already.
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .load()
        .migrate();
  }
}
