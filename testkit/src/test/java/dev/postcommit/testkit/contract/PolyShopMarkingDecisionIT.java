package dev.postcommit.testkit.contract;

class PolyShopMarkingDecisionIT extends DecisionContract {
  PolyShopMarkingDecisionIT() {
    super(HeldSamples.POLYSHOP_MARKING);
  }
}
