package dev.postcommit.testkit.contract;

class LogistikOrderIT extends OrderContract {
  LogistikOrderIT() {
    super(Samples.LOGISTIK);
  }
}
