package dev.postcommit.contract;

import dev.postcommit.testkit.contract.DecisionContract;
import dev.postcommit.testkit.contract.Samples;

class ModkitDecisionIT extends DecisionContract {
  ModkitDecisionIT() {
    super(Samples.MODKIT);
  }
}
