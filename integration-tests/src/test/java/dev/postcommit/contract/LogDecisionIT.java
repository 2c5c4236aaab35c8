package dev.postcommit.contract;

import dev.postcommit.testkit.contract.DecisionContract;
import dev.postcommit.testkit.contract.Samples;

class LogDecisionIT extends DecisionContract {
  LogDecisionIT() {
    super(Samples.LOG);
  }
}
