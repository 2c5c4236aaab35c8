package dev.postcommit.contract;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.testkit.contract.AdminContract;
import dev.postcommit.testkit.contract.Samples;

class HeldNativeAdminIT extends AdminContract {
  HeldNativeAdminIT() {
    super(Samples.HELD_NATIVE);
  }

  @Override
  protected void createTables() {
    OutboxMigration.migrate(dataSource(), Layout.nativeTable());
  }
}
