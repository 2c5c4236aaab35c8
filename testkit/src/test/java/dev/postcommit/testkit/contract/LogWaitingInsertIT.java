package dev.postcommit.testkit.contract;

class LogWaitingInsertIT extends WaitingInsertContract {
  LogWaitingInsertIT() {
    super(Samples.LOG);
  }
}
