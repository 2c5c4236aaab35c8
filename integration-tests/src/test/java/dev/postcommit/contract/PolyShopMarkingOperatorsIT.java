package dev.postcommit.contract;

import dev.postcommit.testkit.contract.OperatorsContract;
import dev.postcommit.testkit.contract.Samples;

class PolyShopMarkingOperatorsIT extends OperatorsContract {
  PolyShopMarkingOperatorsIT() {
    super(Samples.POLYSHOP_MARKING);
  }
}
