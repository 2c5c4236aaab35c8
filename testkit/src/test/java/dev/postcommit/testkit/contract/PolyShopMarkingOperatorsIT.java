package dev.postcommit.testkit.contract;

class PolyShopMarkingOperatorsIT extends OperatorsContract {
  PolyShopMarkingOperatorsIT() {
    super(Samples.POLYSHOP_MARKING);
  }
}
