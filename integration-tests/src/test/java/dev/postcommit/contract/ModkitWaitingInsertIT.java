package dev.postcommit.contract;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.WaitingInsertContract;

class ModkitWaitingInsertIT extends WaitingInsertContract {
  ModkitWaitingInsertIT() {
    super(Samples.MODKIT);
  }
}
