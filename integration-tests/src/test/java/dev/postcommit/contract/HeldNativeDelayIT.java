package dev.postcommit.contract;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.testkit.contract.DelayedOrderContract;
import dev.postcommit.testkit.contract.Samples;

class HeldNativeDelayIT extends DelayedOrderContract {
  HeldNativeDelayIT() {
    super(Samples.HELD_NATIVE);
  }

  @Override
  protected void createTables() {
    OutboxMigration.migrate(dataSource(), Layout.nativeTable());
  }
}
