package dev.postcommit.contract;

import dev.postcommit.testkit.contract.DecisionContract;
import dev.postcommit.testkit.contract.Samples;

class LogistikDecisionIT extends DecisionContract {
  LogistikDecisionIT() {
    super(Samples.LOGISTIK);
  }
}
