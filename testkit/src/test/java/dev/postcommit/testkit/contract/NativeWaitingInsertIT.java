package dev.postcommit.testkit.contract;

class NativeWaitingInsertIT extends WaitingInsertContract {
  NativeWaitingInsertIT() {
    super(Samples.NATIVE);
  }
}
