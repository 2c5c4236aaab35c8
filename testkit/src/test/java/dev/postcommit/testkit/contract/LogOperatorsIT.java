package dev.postcommit.testkit.contract;

class LogOperatorsIT extends OperatorsContract {
  LogOperatorsIT() {
    super(Samples.LOG);
  }
}
