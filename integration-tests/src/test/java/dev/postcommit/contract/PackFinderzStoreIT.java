package dev.postcommit.contract;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.StoreContract;

class PackFinderzStoreIT extends StoreContract {
  PackFinderzStoreIT() {
    super(Samples.PACKFINDERZ);
  }
}
