package dev.postcommit.contract;

import dev.postcommit.testkit.contract.DecisionContract;
import dev.postcommit.testkit.contract.Samples;

class PolyShopDecisionIT extends DecisionContract {
  PolyShopDecisionIT() {
    super(Samples.POLYSHOP);
  }
}
