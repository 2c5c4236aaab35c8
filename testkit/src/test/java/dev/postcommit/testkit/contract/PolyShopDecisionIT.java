package dev.postcommit.testkit.contract;

class PolyShopDecisionIT extends DecisionContract {
  PolyShopDecisionIT() {
    super(Samples.POLYSHOP);
  }
}
