package dev.postcommit.testkit.contract;

class NativeDeletingStoreIT extends StoreContract {
  NativeDeletingStoreIT() {
    super(Samples.NATIVE_DELETING);
  }
}
