package dev.postcommit.testkit.contract;

class NativeDeletingAdminIT extends AdminContract {
  NativeDeletingAdminIT() {
    super(Samples.NATIVE_DELETING);
  }
}
