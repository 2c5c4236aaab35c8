package dev.postcommit.testkit.contract;

class LogStoreIT extends StoreContract {
  LogStoreIT() {
    super(Samples.LOG);
  }
}
