package dev.postcommit.testkit.contract;

class PackFinderzWaitingInsertIT extends WaitingInsertContract {
  PackFinderzWaitingInsertIT() {
    super(Samples.PACKFINDERZ);
  }
}
