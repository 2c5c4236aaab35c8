package dev.postcommit.contract;

import dev.postcommit.testkit.contract.DecisionContract;
import dev.postcommit.testkit.contract.Samples;

class NativeDecisionIT extends DecisionContract {
  NativeDecisionIT() {
    super(Samples.NATIVE);
  }
}
