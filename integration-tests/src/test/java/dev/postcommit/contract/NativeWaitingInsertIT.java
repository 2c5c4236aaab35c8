package dev.postcommit.contract;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.WaitingInsertContract;

class NativeWaitingInsertIT extends WaitingInsertContract {
  NativeWaitingInsertIT() {
    super(Samples.NATIVE);
  }
}
