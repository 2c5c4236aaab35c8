package dev.postcommit.contract;

import dev.postcommit.testkit.contract.AdminContract;
import dev.postcommit.testkit.contract.Samples;

class ModkitDeletingAdminIT extends AdminContract {
  ModkitDeletingAdminIT() {
    super(Samples.MODKIT_DELETING);
  }
}
