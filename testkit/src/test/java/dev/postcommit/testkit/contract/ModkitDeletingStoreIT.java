package dev.postcommit.testkit.contract;

class ModkitDeletingStoreIT extends StoreContract {
  ModkitDeletingStoreIT() {
    super(Samples.MODKIT_DELETING);
  }
}
