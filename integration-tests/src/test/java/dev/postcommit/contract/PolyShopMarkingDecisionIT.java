package dev.postcommit.contract;

import dev.postcommit.testkit.contract.DecisionContract;
import dev.postcommit.testkit.contract.Samples;

class PolyShopMarkingDecisionIT extends DecisionContract {
  PolyShopMarkingDecisionIT() {
    super(Samples.POLYSHOP_MARKING);
  }
}
