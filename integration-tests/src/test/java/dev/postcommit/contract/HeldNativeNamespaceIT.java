package dev.postcommit.contract;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.ScopedContract;

class HeldNativeNamespaceIT extends ScopedContract {
  HeldNativeNamespaceIT() {
    super(Samples.HELD_NATIVE);
  }

  @Override
  protected void createTables() {
    OutboxMigration.migrate(dataSource(), Layout.nativeTable());
  }
}
