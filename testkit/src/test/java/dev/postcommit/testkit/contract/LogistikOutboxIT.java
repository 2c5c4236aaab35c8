package dev.postcommit.testkit.contract;

class LogistikOutboxIT extends OutboxContract {
  LogistikOutboxIT() {
    super(Samples.LOGISTIK);
  }
}
