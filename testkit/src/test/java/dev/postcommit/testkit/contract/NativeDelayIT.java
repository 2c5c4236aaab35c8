package dev.postcommit.testkit.contract;

class NativeDelayIT extends DelayedOrderContract {
  NativeDelayIT() {
    super(Samples.NATIVE);
  }
}
