package dev.postcommit.testkit.contract;

class PolyShopMarkingAdminIT extends AdminContract {
  PolyShopMarkingAdminIT() {
    super(Samples.POLYSHOP_MARKING);
  }
}
