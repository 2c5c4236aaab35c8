package dev.postcommit.testkit.contract;

class PolyShopAdminIT extends AdminContract {
  PolyShopAdminIT() {
    super(HeldSamples.POLYSHOP);
  }
}
