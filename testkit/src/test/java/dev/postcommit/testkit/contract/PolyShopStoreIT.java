package dev.postcommit.testkit.contract;

class PolyShopStoreIT extends StoreContract {
  PolyShopStoreIT() {
    super(Samples.POLYSHOP);
  }
}
