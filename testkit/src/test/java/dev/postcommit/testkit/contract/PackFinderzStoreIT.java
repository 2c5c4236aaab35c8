package dev.postcommit.testkit.contract;

class PackFinderzStoreIT extends StoreContract {
  PackFinderzStoreIT() {
    super(Samples.PACKFINDERZ);
  }
}
