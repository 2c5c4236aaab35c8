package dev.postcommit.contract;

import dev.postcommit.testkit.contract.AdminContract;
import dev.postcommit.testkit.contract.Samples;

class ModkitAdminIT extends AdminContract {
  ModkitAdminIT() {
    super(Samples.MODKIT);
  }
}
