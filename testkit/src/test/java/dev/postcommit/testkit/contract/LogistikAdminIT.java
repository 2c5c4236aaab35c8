package dev.postcommit.testkit.contract;

class LogistikAdminIT extends AdminContract {
  LogistikAdminIT() {
    super(HeldSamples.LOGISTIK);
  }
}
