package dev.postcommit.contract;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.StoreContract;

class PolyShopStoreIT extends StoreContract {
  PolyShopStoreIT() {
    super(Samples.POLYSHOP);
  }
}
