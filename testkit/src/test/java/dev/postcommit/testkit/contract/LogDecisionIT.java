package dev.postcommit.testkit.contract;

class LogDecisionIT extends DecisionContract {
  LogDecisionIT() {
    super(Samples.LOG);
  }
}
