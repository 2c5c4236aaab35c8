package dev.postcommit.contract;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.WaitingInsertContract;

class LogWaitingInsertIT extends WaitingInsertContract {
  LogWaitingInsertIT() {
    super(Samples.LOG);
  }
}
