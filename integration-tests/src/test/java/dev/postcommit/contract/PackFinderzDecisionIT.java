package dev.postcommit.contract;

import dev.postcommit.testkit.contract.DecisionContract;
import dev.postcommit.testkit.contract.Samples;

class PackFinderzDecisionIT extends DecisionContract {
  PackFinderzDecisionIT() {
    super(Samples.PACKFINDERZ);
  }
}
