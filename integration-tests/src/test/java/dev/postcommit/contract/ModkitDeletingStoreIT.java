package dev.postcommit.contract;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.StoreContract;

class ModkitDeletingStoreIT extends StoreContract {
  ModkitDeletingStoreIT() {
    super(Samples.MODKIT_DELETING);
  }
}
