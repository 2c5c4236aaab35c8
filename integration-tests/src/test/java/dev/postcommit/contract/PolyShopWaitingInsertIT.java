package dev.postcommit.contract;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.WaitingInsertContract;

class PolyShopWaitingInsertIT extends WaitingInsertContract {
  PolyShopWaitingInsertIT() {
    super(Samples.POLYSHOP);
  }
}
