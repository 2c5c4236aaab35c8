package dev.postcommit.testkit.contract;

class PolyShopDeletingStoreIT extends StoreContract {
  PolyShopDeletingStoreIT() {
    super(Samples.POLYSHOP_DELETING);
  }
}
