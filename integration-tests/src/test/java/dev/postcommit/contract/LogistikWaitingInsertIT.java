package dev.postcommit.contract;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.WaitingInsertContract;

class LogistikWaitingInsertIT extends WaitingInsertContract {
  LogistikWaitingInsertIT() {
    super(Samples.LOGISTIK);
  }
}
