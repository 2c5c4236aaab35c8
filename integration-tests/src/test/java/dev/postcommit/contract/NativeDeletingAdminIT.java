package dev.postcommit.contract;

import dev.postcommit.testkit.contract.AdminContract;
import dev.postcommit.testkit.contract.Samples;

class NativeDeletingAdminIT extends AdminContract {
  NativeDeletingAdminIT() {
    super(Samples.NATIVE_DELETING);
  }
}
