package dev.postcommit.testkit.contract;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;

class HeldNativeDelayIT extends DelayedOrderContract {
  HeldNativeDelayIT() {
    super(Samples.HELD_NATIVE);
  }

  @Override
  protected void createTables() {
    OutboxMigration.migrate(dataSource(), Layout.nativeTable());
  }
}
