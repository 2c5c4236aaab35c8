package dev.postcommit.testkit.contract;

class NativeOutboxIT extends OutboxContract {
  NativeOutboxIT() {
    super(Samples.NATIVE);
  }
}
