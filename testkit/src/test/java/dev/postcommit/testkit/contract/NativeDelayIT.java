package dev.postcommit.testkit.contract;

class NativeDelayIT extends DelayContract {
  NativeDelayIT() {
    super(Samples.NATIVE);
  }
}
