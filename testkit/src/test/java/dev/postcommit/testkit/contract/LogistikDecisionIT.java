package dev.postcommit.testkit.contract;

class LogistikDecisionIT extends DecisionContract {
  LogistikDecisionIT() {
    super(Samples.LOGISTIK);
  }
}
