package dev.postcommit.testkit.contract;

class PolyShopMarkingAdminIT extends AdminContract {
  PolyShopMarkingAdminIT() {
    super(HeldSamples.POLYSHOP_MARKING);
  }
}
