package dev.postcommit.contract;

import dev.postcommit.testkit.contract.DelayedOrderContract;
import dev.postcommit.testkit.contract.Samples;

class NativeDelayIT extends DelayedOrderContract {
  NativeDelayIT() {
    super(Samples.NATIVE);
  }
}
