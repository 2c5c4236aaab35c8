package dev.postcommit.testkit.contract;

class LogistikOperatorsIT extends OperatorsContract {
  LogistikOperatorsIT() {
    super(Samples.LOGISTIK);
  }
}
