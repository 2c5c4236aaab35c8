package dev.postcommit.testkit.contract;

class LogistikWaitingInsertIT extends WaitingInsertContract {
  LogistikWaitingInsertIT() {
    super(Samples.LOGISTIK);
  }
}
