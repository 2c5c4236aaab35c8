package dev.postcommit.testkit.contract;

class PolyShopOperatorsIT extends OperatorsContract {
  PolyShopOperatorsIT() {
    super(Samples.POLYSHOP);
  }
}
