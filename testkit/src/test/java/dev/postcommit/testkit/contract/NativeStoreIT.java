package dev.postcommit.testkit.contract;

class NativeStoreIT extends StoreContract {
  NativeStoreIT() {
    super(Samples.NATIVE);
  }
}
