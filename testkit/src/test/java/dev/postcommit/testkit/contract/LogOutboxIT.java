package dev.postcommit.testkit.contract;

class LogOutboxIT extends OutboxContract {
  LogOutboxIT() {
    super(Samples.LOG);
  }
}
