package dev.postcommit.testkit.contract;

class PackFinderzAdminIT extends AdminContract {
  PackFinderzAdminIT() {
    super(HeldSamples.PACKFINDERZ);
  }
}
