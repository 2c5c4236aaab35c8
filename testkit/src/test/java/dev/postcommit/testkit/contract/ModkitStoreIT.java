package dev.postcommit.testkit.contract;

class ModkitStoreIT extends StoreContract {
  ModkitStoreIT() {
    super(Samples.MODKIT);
  }
}
