package dev.postcommit.contract;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.WaitingInsertContract;

class PackFinderzWaitingInsertIT extends WaitingInsertContract {
  PackFinderzWaitingInsertIT() {
    super(Samples.PACKFINDERZ);
  }
}
