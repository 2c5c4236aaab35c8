package dev.postcommit.contract;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.StoreContract;

class PolyShopDeletingStoreIT extends StoreContract {
  PolyShopDeletingStoreIT() {
    super(Samples.POLYSHOP_DELETING);
  }
}
