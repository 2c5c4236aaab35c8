package dev.postcommit.testkit.contract;

class LogistikDeletingStoreIT extends StoreContract {
  LogistikDeletingStoreIT() {
    super(Samples.LOGISTIK_DELETING);
  }
}
