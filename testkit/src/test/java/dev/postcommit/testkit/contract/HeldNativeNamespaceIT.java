package dev.postcommit.testkit.contract;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;

class HeldNativeNamespaceIT extends ScopedContract {
  HeldNativeNamespaceIT() {
    super(Samples.HELD_NATIVE);
  }

  @Override
  protected void createTables() {
    OutboxMigration.migrate(dataSource(), Layout.nativeTable());
  }
}
