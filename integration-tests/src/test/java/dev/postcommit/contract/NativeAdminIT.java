package dev.postcommit.contract;

import dev.postcommit.testkit.contract.AdminContract;
import dev.postcommit.testkit.contract.Samples;

class NativeAdminIT extends AdminContract {
  NativeAdminIT() {
    super(Samples.NATIVE);
  }
}
