package dev.postcommit.testkit.contract;

class LogOrderIT extends OrderContract {
  LogOrderIT() {
    super(Samples.LOG);
  }
}
