package dev.postcommit.contract;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.ScopedContract;

/** A held table whose failures, beside it, do not tell the namespace of their events. */
class HeldWithoutDueNamespaceIT extends ScopedContract {
  HeldWithoutDueNamespaceIT() {
    super(Samples.HELD_WITHOUT_DUE);
  }

  @Override
  protected void createTables() {
    OutboxMigration.migrate(dataSource(), Layout.nativeTable());
    execute("CREATE TABLE undated_outbox (LIKE postcommit_outbox INCLUDING ALL)");
    OutboxMigration.migrate(dataSource(), layout());
  }
}
