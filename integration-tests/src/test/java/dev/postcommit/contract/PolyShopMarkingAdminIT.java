package dev.postcommit.contract;

import dev.postcommit.testkit.contract.AdminContract;
import dev.postcommit.testkit.contract.Samples;

class PolyShopMarkingAdminIT extends AdminContract {
  PolyShopMarkingAdminIT() {
    super(Samples.POLYSHOP_MARKING);
  }
}
