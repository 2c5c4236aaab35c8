package dev.postcommit.contract;

import dev.postcommit.testkit.contract.OperatorsContract;
import dev.postcommit.testkit.contract.Samples;

class PolyShopOperatorsIT extends OperatorsContract {
  PolyShopOperatorsIT() {
    super(Samples.POLYSHOP);
  }
}
