package dev.postcommit.testkit.contract;

class PolyShopMarkingOperatorsIT extends OperatorsContract {
  PolyShopMarkingOperatorsIT() {
    super(HeldSamples.POLYSHOP_MARKING);
  }
}
