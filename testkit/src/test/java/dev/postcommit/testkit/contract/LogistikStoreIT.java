package dev.postcommit.testkit.contract;

class LogistikStoreIT extends StoreContract {
  LogistikStoreIT() {
    super(Samples.LOGISTIK);
  }
}
