package dev.postcommit.testkit.contract;

class LogAdminIT extends AdminContract {
  LogAdminIT() {
    super(Samples.LOG);
  }
}
