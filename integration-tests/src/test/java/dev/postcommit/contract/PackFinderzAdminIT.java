package dev.postcommit.contract;

import dev.postcommit.testkit.contract.AdminContract;
import dev.postcommit.testkit.contract.Samples;

class PackFinderzAdminIT extends AdminContract {
  PackFinderzAdminIT() {
    super(Samples.PACKFINDERZ);
  }
}
