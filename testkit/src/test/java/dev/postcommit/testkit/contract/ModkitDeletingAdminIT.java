package dev.postcommit.testkit.contract;

class ModkitDeletingAdminIT extends AdminContract {
  ModkitDeletingAdminIT() {
    super(Samples.MODKIT_DELETING);
  }
}
