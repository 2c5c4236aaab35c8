package dev.postcommit.testkit.contract;

class NativeAdminIT extends AdminContract {
  NativeAdminIT() {
    super(Samples.NATIVE);
  }
}
