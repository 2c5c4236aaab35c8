package dev.postcommit.contract;

import dev.postcommit.testkit.contract.AdminContract;
import dev.postcommit.testkit.contract.Samples;

class PolyShopAdminIT extends AdminContract {
  PolyShopAdminIT() {
    super(Samples.POLYSHOP);
  }
}
