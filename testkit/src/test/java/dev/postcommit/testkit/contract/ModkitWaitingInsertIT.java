package dev.postcommit.testkit.contract;

class ModkitWaitingInsertIT extends WaitingInsertContract {
  ModkitWaitingInsertIT() {
    super(Samples.MODKIT);
  }
}
