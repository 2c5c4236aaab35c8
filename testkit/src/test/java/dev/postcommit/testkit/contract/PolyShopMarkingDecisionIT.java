package dev.postcommit.testkit.contract;

class PolyShopMarkingDecisionIT extends DecisionContract {
  PolyShopMarkingDecisionIT() {
    super(Samples.POLYSHOP_MARKING);
  }
}
