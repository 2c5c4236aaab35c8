package dev.postcommit.testkit.contract;

class PolyShopWaitingInsertIT extends WaitingInsertContract {
  PolyShopWaitingInsertIT() {
    super(Samples.POLYSHOP);
  }
}
